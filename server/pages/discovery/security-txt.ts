import { DAY_MS } from "@/server/lib/time";

/** RFC 9116 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

/**
 * Renders `security.txt` (RFC 9116).
 * @param contact Where to report a vulnerability: a `mailto:` or `https:` URL.
 * @param url Public URL of the service, without a trailing slash.
 */
export function renderSecurityTxt(contact: string, url: string, now: Date): string {
  // The start of a day, so that the file is the same for all of it.
  const expires = new Date(Math.floor((now.getTime() + VALID_MS) / DAY_MS) * DAY_MS);
  return `Contact: ${contact}
Expires: ${expires.toISOString()}
Preferred-Languages: en
Canonical: ${url}/.well-known/security.txt
`;
}
