import { isolateText } from "@/server/lib/bidi";
import { removeInvisibleAndControls } from "@/server/lib/invisible";

/** A mail as it is stored. A line that starts with a slash is a path of this service. */
export interface MailText {
  /** Never quotes what a user wrote. */
  subject: string;
  lines: string[];
}

/** Page of the links in mails; they get the token of the address when a mail is sent. */
const LINKS = "/email?";
export const CONFIRM_LINK = `${LINKS}action=confirm`;
const FOOTER = ["", "Stop all mail to this address:", `${LINKS}action=unsubscribe`, ""];

/**
 * Renders a mail as plain text.
 * @param origin Public URL of the service, without a trailing slash.
 * @param token Query parameters that authorize the address's links.
 */
export function renderMail({ lines }: MailText, origin: string, token: string): string {
  return [...lines, "", "-- ", `Standing, ${origin}`, ...FOOTER]
    .map((line) => (line.startsWith("/") ? origin + line : line))
    .map((line) => (line.startsWith(origin + LINKS) ? `${line}&${token}` : line))
    .join("\n");
}

/** Quotes a name on one line, without anything that mail programs show as a link. */
export const quoteName = (name: string) =>
  `“${isolateText(removeInvisibleAndControls(name)).replace(/[.:/@](?=[^\s\u2069])/g, "·")}”`;
