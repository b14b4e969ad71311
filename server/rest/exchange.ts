/** One HTTP request, free of the server that received it. */
export interface RestRequest {
  method: string;
  /** The request target as sent: path and query, below and including `/api/v1`. */
  url: string;
  /** A header by its lowercase name; repeated ones joined by commas. */
  header(name: string): string | undefined;
  /** Address of the other end of the connection; null where the server does not tell. */
  peer: string | null;
  /** False where the request is known to carry no body. */
  hasBody: boolean;
  /** The whole body, counted while it arrives. Asked for at most once; never rejects. */
  read(): Promise<Uint8Array | BodyFault>;
}

/**
 * Why there is no body: it is over the limit, the connection ended before it did, or others fill
 * the memory that there is for bodies.
 */
export type BodyFault = "too-large" | "cut-off" | "no-room";

/**
 * One HTTP answer, ready to be written as it stands. `Content-Length` is among the headers, unless
 * the body is written chunk by chunk: then the writer takes the next one when the connection has
 * taken the last, and ends the iterator where the connection ends.
 */
export interface RestAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | AsyncIterableIterator<string> | null;
}

/** The base path of every route. */
export const BASE_PATH = "/api/v1";

/** Most bytes of a request body. */
export const BODY_LIMIT = 1_048_576;
