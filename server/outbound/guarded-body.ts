import type { Readable } from "node:stream";

/** A body is larger than its limit. */
export class TooLargeError extends Error {
  override name = "TooLarge";
}

/**
 * Reads all bytes of `body`, counting them while they arrive. Beyond `limit` bytes, throws `TooLargeError`, or
 * closes the connection and returns the first ones if `isCut`.
 */
export async function readAtMost(body: Readable, limit: number, isCut = false): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit && !isCut) throw new TooLargeError();
    chunks.push(chunk);
    if (size > limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

const TEXT_APPLICATION =
  /^application\/(json|xml|yaml|x-yaml|toml|csv|sql|javascript|x-javascript|ecmascript|typescript|x-sh|x-ndjson|ndjson|jsonl|jsonlines|x-tex|x-latex|graphql|[\w.+-]+\+(json|xml|yaml))$/;

/**
 * Returns the media type in lower case without parameters, and its charset; null if there is none.
 */
export function parseMediaType(header: string | undefined) {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim());
  if (!type) return null;
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  return {
    mediaType: type.toLowerCase(),
    charset: charset?.slice("charset=".length).replaceAll('"', "").toLowerCase() ?? "utf-8",
  };
}

export function isTextMediaType(mediaType: string): boolean {
  return mediaType.startsWith("text/") || TEXT_APPLICATION.test(mediaType);
}

export function isPdf(mediaType: string): boolean {
  return mediaType === "application/pdf" || mediaType === "application/x-pdf";
}

/** The header is untrusted: it is repeated only if it looks like a media type. */
const SAFE_MEDIA_TYPE =
  /^(application|audio|example|font|haptics|image|message|model|multipart|video)\/[a-z0-9][a-z0-9.+-]{0,79}$/;

/** Returns the media type if it looks like one, else the type of unknown data. */
export function sanitizeMediaType(mediaType: string | undefined): string {
  const isSafe =
    mediaType !== undefined && (SAFE_MEDIA_TYPE.test(mediaType) || isTextMediaType(mediaType));
  return isSafe ? mediaType.slice(0, 100) : "application/octet-stream";
}

/** Returns why a document of this type cannot be judged, as a sentence for a page. */
export function describeRefusedType(mediaType: string | undefined): string {
  if (mediaType === undefined) {
    return "The server does not state the document's type. Only text, HTML, Markdown, JSON, CSV and PDF can be judged.";
  }
  const type = SAFE_MEDIA_TYPE.test(mediaType) ? `of type ${mediaType}` : "of an unknown type";
  return `The document is ${type}, which cannot be judged; text, HTML, Markdown, JSON, CSV and PDF can.`;
}

/** Decodes `bytes`; returns null if they are not text (NUL inside) or the charset is unknown. */
export function decodeText(bytes: Uint8Array, charset: string): string | null {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset);
  } catch {
    return null;
  }
  const text = decoder.decode(bytes);
  return text.includes("\0") ? null : text;
}
