import { hash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { matchesEntityTag } from "@/server/rest/response";
import { type ContentCoding, selectCoding } from "./content-coding";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Level at which a page is small and takes a few milliseconds of a thread of the pool. */
const BROTLI_QUALITY = 5;

/** Bytes below which compression does not reduce the packets. */
const MIN_COMPRESSED = 1_024;

/** A rendered page, ready to send to any number of visitors. */
export class SharedPage {
  /** Bytes that it occupies at most: the compressed bodies together are smaller than the body. */
  readonly size: number;
  private readonly body: Buffer;
  private readonly tag: string;
  private readonly compressed = new Map<ContentCoding, Promise<Buffer>>();

  constructor(
    private readonly status: number,
    private readonly headers: IncomingHttpHeaders,
    html: string,
  ) {
    this.body = Buffer.from(html);
    this.size = 2 * this.body.length;
    this.tag = `"${hash("sha256", html, "base64url").slice(0, 27)}"`;
  }

  /** Sends it in the best coding that the client accepts, or a 304 if the client has it. */
  async send(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Weak, since all codings share it.
    const headers = { ...this.headers, ETag: `W/${this.tag}` };
    if (this.status === 200 && matchesEntityTag(req.headers["if-none-match"], this.tag)) {
      res.writeHead(304, headers).end();
      return;
    }
    const accepted = selectCoding(req.headers["accept-encoding"]?.toString());
    const coding = this.body.length < MIN_COMPRESSED ? null : accepted;
    const body = coding ? await this.compress(coding) : this.body;
    res.writeHead(this.status, {
      ...headers,
      ...(coding ? { "Content-Encoding": coding } : {}),
      "Content-Length": body.length,
    });
    res.end(req.method === "HEAD" ? undefined : body);
  }

  private compress(coding: ContentCoding): Promise<Buffer> {
    let compressed = this.compressed.get(coding);
    if (!compressed) {
      compressed =
        coding === "gzip"
          ? compressGzip(this.body)
          : compressBrotli(this.body, {
              params: {
                [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
                [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
                [constants.BROTLI_PARAM_SIZE_HINT]: this.body.length,
              },
            });
      this.compressed.set(coding, compressed);
    }
    return compressed;
  }
}
