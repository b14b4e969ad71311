import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** Returns the text form of a signing secret: `whsec_` and the base64 of its 32 bytes. */
export function formatSecret(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes).toString("base64");
}

interface Signed {
  secret: string;
  /** The secret before a rotation, while it is valid. */
  previousSecret?: string | undefined;
  /** Id of the event, the same on every attempt. */
  id: string;
  /** Time of this attempt; receivers reject old ones. */
  at: Date;
  /** The raw body, as sent. */
  payload: string;
}

/**
 * Returns the signature headers of one attempt, in two forms:
 * - `X-Service-Signature`: HMAC-SHA256 of the payload, keyed with the whole (new) secret as UTF-8.
 * - `webhook-*`: Standard Webhooks (standardwebhooks.com, specification 1.0): HMAC-SHA256 of
 *   `id.timestamp.payload`, keyed with the bytes encoded after `whsec_`. With a previous secret there
 *   are two signatures, separated by a space; the other header has room for one.
 */
export function buildSignatureHeaders(signed: Signed): Record<string, string> {
  const { secret, previousSecret, id, at, payload } = signed;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = [secret, ...(previousSecret ? [previousSecret] : [])].map((text) => {
    const key = Buffer.from(text.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${payload}`).digest("base64")}`;
  });
  return {
    "X-Service-Signature": signPayload(secret, payload),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** Returns `sha256=` and lowercase hexadecimal, as in section 6 of the interface specification. */
export function signPayload(secret: string, payload: string): string {
  return `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`;
}
