import type { Transform } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

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

/** Bytes up to which compression does not reduce the packets. */
export const MIN_COMPRESSED = 1_024;

/** At this quality a page is small and takes a few milliseconds of a thread of the pool. */
const BROTLI_PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};

export function compress(coding: ContentCoding, body: Buffer): Promise<Buffer> {
  if (coding === "gzip") return compressGzip(body);
  const params = { ...BROTLI_PARAMS, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return compressBrotli(body, { params });
}

/** Creates a stream that compresses a text of unknown length. */
export function createCompressor(coding: ContentCoding): Transform {
  return coding === "gzip" ? createGzip() : createBrotliCompress({ params: BROTLI_PARAMS });
}
