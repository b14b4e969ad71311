import { type Hex, sha256, stringToBytes } from "viem";

/** Returns the SHA-256 of a document as canonical JSON (RFC 8785). */
export const hashTerms = (terms: object): Hex => sha256(stringToBytes(toCanonicalJson(terms)));

/** Members sorted by UTF-16 code units, no white space; numbers and strings as JSON.stringify writes them. */
function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
