import { hash } from "node:crypto";

/** A JSON body, ready to send. */
export class EncodedBody {
  /** The value of `Content-Length`. */
  readonly length: string;
  /** A strong entity tag (RFC 9110, 8.8.3). */
  readonly tag: string;

  constructor(readonly text: string) {
    this.length = String(Buffer.byteLength(text));
    this.tag = `"${hash("sha256", text, "base64url").slice(0, 27)}"`;
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
