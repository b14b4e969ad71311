import { createHash } from "node:crypto";

/** Returns the SHA-256 of UTF-8 text or bytes, as 0x and 64 lowercase hexadecimal characters. */
export function sha256(data: string | Uint8Array): `0x${string}` {
  return `0x${createHash("sha256").update(data).digest("hex")}`;
}
