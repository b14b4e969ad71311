import { hash } from "node:crypto";

/** Returns a strong entity tag of a body (RFC 9110, 8.8.3). */
export function computeEntityTag(body: string | Uint8Array): string {
  return `"${hash("sha256", body, "base64url").slice(0, 27)}"`;
}

/** A JSON body, ready to send. */
export class EncodedBody {
  /** The value of `Content-Length`. */
  readonly length: string;
  readonly tag: string;

  constructor(readonly text: string) {
    this.length = String(Buffer.byteLength(text));
    this.tag = computeEntityTag(text);
  }
}

const encoded = new WeakMap<object, EncodedBody>();

/** Encodes a result that is kept in memory, which must not change: the first time only. */
export function encodeOnce(result: object): EncodedBody {
  let body = encoded.get(result);
  if (!body) {
    body = new EncodedBody(JSON.stringify(result));
    encoded.set(result, body);
  }
  return body;
}
