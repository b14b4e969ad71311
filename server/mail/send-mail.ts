import { createTransport, type NodemailerError } from "nodemailer";
import type { Env } from "@/server/lib/env";
import { SECOND_MS } from "@/server/lib/time";

type MailEnv = Pick<Env, "SMTP_URL" | "MAIL_FROM">;

/** Returns whether the operator configured e-mail. */
export const sendsMail = ({ SMTP_URL, MAIL_FROM }: MailEnv): boolean =>
  Boolean(SMTP_URL && MAIL_FROM);

interface Mail {
  to: string;
  /** Every attempt to send the same mail has the same. */
  id: string;
  subject: string;
  text: string;
  /** A POST to it ends all mail to the address (RFC 8058). */
  unsubscribeUrl: string;
}

/** Longest silence of the mail server. */
const TIMEOUT_MS = 5 * SECOND_MS;

/** Replies to a recipient that there is no such mailbox (RFC 5321, section 4.2.3). */
const NO_MAILBOX = [550, 551, 553];
/** In a reply: a policy refuses the sender, not the recipient (RFC 3463, section 3.8). */
const POLICY = /\b5\.7\.\d/;

/**
 * Sends a mail in plain text. Never throws: `status` is the server's reply code, null without a reply.
 * The error `no-mailbox` says that no mail to the address will ever be accepted.
 */
export async function sendMail({ SMTP_URL: url, MAIL_FROM: from }: MailEnv, mail: Mail) {
  const startedAt = performance.now();
  const end = (status: number | null, error: string | null) => {
    const latencyMs = Math.round(performance.now() - startedAt);
    return { ok: error === null, status, error, latencyMs };
  };
  if (!url || !from) return end(null, "mail-not-configured");
  const { id, to, unsubscribeUrl, ...texts } = mail;
  try {
    await createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    }).sendMail({
      ...texts,
      from,
      // As an object, so that it is never parsed as a list of addresses.
      to: { name: "", address: to },
      messageId: `<${id}@${new URL(unsubscribeUrl).hostname}>`,
      headers: {
        "List-Unsubscribe": `<${unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
      },
    });
    return end(250, null);
  } catch (error) {
    const { responseCode = null, response = "", command } = error as Partial<NodemailerError>;
    if (responseCode === null) return end(null, "connection");
    const isRecipient = command === "RCPT TO" && !POLICY.test(response);
    return end(
      responseCode,
      isRecipient && NO_MAILBOX.includes(responseCode) ? "no-mailbox" : "status",
    );
  }
}
