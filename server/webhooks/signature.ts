import { createHash, createHmac } from "node:crypto";

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
 * - `X-Service-Signature`: HMAC-SHA256 of the payload, keyed with the whole secret as UTF-8. It has room
 *   for one signature: that of a previous secret, so that receivers have time to change it.
 * - `webhook-*`: Standard Webhooks (standardwebhooks.com, specification 1.0): HMAC-SHA256 of
 *   `id.timestamp.payload`, keyed with the bytes encoded after `whsec_`. With a previous secret there
 *   are two signatures, separated by a space.
 */
export function buildSignatureHeaders(signed: Signed): Record<string, string> {
  const { secret, previousSecret, id, at, payload } = signed;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = [secret, ...(previousSecret ? [previousSecret] : [])].map((text) => {
    const key = Buffer.from(text.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${payload}`).digest("base64")}`;
  });
  return {
    "X-Service-Signature": signPayload(previousSecret ?? secret, payload),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** Returns `sha256=` and lowercase hexadecimal, as in section 6 of the interface specification. */
export function signPayload(secret: string, payload: string): string {
  return `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`;
}

interface Payload {
  /** Permanent, unique name of the event; the id that receivers see is derived from it. */
  key: string;
  event: string;
  /** When it happened; the same for every webhook and every attempt. */
  at: Date;
  data: Record<string, unknown>;
}

/** Returns the id and exact body of an event, the same for every webhook and every attempt. */
export function buildPayload({ key, event, at, data }: Payload): { id: string; body: string } {
  const id = deriveEventId(key);
  return { id, body: JSON.stringify({ id, event, timestamp: at.toISOString(), data }) };
}

/** Returns a UUID version 8 (RFC 9562) with the first 122 bits of the key's SHA-256. */
export function deriveEventId(key: string): string {
  const bytes = createHash("sha256").update(key).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
