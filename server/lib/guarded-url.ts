/**
 * The URL by WHATWG rules (decimal, octal and hexadecimal hosts become dotted addresses there),
 * or null when it is not http(s) or carries a user name or password.
 */
export function parseOutboundUrl(url: string, base?: URL): URL | null {
  if (!URL.canParse(url, base?.href)) return null;
  const parsed = new URL(url, base);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return null;
  if (parsed.username !== "" || parsed.password !== "") return null;
  return parsed;
}
