/** Content codings of compressed responses (RFC 9110, 8.4.1). */
export type ContentCoding = "br" | "gzip";

/** The codings in order of preference, each with a pattern of `Accept-Encoding` headers that name it. */
const CODINGS: [ContentCoding, RegExp][] = [
  ["br", /(?:^|,)\s*br\s*(?:$|,|;\s*q=(?:1|0\.\d*[1-9]))/i],
  ["gzip", /(?:^|,)\s*(?:x-)?gzip\s*(?:$|,|;\s*q=(?:1|0\.\d*[1-9]))/i],
];

/** Returns the best coding that an `Accept-Encoding` header names, or null if it names none. */
export function selectCoding(acceptEncoding: string | undefined): ContentCoding | null {
  if (acceptEncoding === undefined) return null;
  return CODINGS.find(([, pattern]) => pattern.test(acceptEncoding))?.[0] ?? null;
}
