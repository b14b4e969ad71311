import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import {
  type ContentCoding,
  compress,
  MIN_COMPRESSED,
  selectCoding,
} from "@/server/lib/content-coding";
import { computeEntityTag } from "@/server/rest/encoded-body";
import { matchesEntityTag } from "@/server/rest/response";

/** Headers that belong to one connection, or to the body in one coding. */
const NOT_SHARED =
  /^(connection|keep-alive|transfer-encoding|date|content-length|content-encoding|etag)$/;

/** A body in one coding, with its headers. */
interface EncodedPage {
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** A rendered page, ready to send to any number of visitors. */
export class SharedPage {
  /** Bytes that it occupies at most: the compressed bodies together are smaller than the body. */
  readonly size: number;
  private readonly tag: string;
  private readonly plain: EncodedPage;
  private readonly compressed = new Map<ContentCoding, Promise<EncodedPage>>();

  /** @param headers Those of its response, with names in lower case. */
  constructor(
    private readonly status: number,
    headers: IncomingHttpHeaders,
    html: string,
  ) {
    const body = Buffer.from(html);
    this.size = 2 * body.length;
    this.tag = computeEntityTag(html);
    const shared = Object.entries(headers).filter(([name]) => !NOT_SHARED.test(name));
    // The entity tag is weak, since all codings share it.
    this.plain = withLength({ ...Object.fromEntries(shared), etag: `W/${this.tag}` }, body);
  }

  /** Sends it in the best coding that the client accepts, or a 304 if the client has it. */
  async send(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.status === 200 && matchesEntityTag(req.headers["if-none-match"], this.tag)) {
      const { "content-length": _, ...headers } = this.plain.headers;
      res.writeHead(304, headers).end();
      return;
    }
    const accepted = selectCoding(req.headers["accept-encoding"]?.toString());
    const isSmall = this.plain.body.length < MIN_COMPRESSED;
    const { headers, body } = isSmall || !accepted ? this.plain : await this.encode(accepted);
    res.writeHead(this.status, headers).end(body);
  }

  private encode(coding: ContentCoding): Promise<EncodedPage> {
    let encoded = this.compressed.get(coding);
    if (!encoded) {
      encoded = compress(coding, this.plain.body).then((body) =>
        withLength({ ...this.plain.headers, "content-encoding": coding }, body),
      );
      this.compressed.set(coding, encoded);
    }
    return encoded;
  }
}

const withLength = (headers: OutgoingHttpHeaders, body: Buffer): EncodedPage => ({
  headers: { ...headers, "content-length": body.length },
  body,
});
