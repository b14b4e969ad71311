import { createHash } from "node:crypto";

/** Derives a UUID of version 8 (free form, RFC 9562) from a hash. */
export function deriveUuid(seed: number, name: string): string {
  const hex = createHash("sha256").update(`${seed} ${name}`).digest("hex");
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
