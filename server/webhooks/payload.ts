import { createHash } from "node:crypto";

export interface Payload {
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
