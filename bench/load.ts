import type { Options, Result } from "autocannon";

export const CONNECTIONS = 16;
/** Requests that each connection repeats, if it may. */
const REPEATED = 200;

export interface HttpRequest {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** An endless sequence of requests; each load continues where the previous one stopped. */
export interface RequestSequence {
  at: number;
  draw(index: number): HttpRequest;
  /**
   * Requests prepared per second of the load, as many for each connection, which ends after the last of
   * them: a faster server is measured for a shorter time. Null if the first 200 requests may be sent
   * again and again.
   */
  prepared: number | null;
}

/**
 * Returns the responses per second of the server at `url`, over 16 connections. Throws unless every
 * response is a 2xx. Requests are serialized in advance, so that this process does little but
 * write.
 */
export async function measureThroughput(
  url: string,
  seconds: number,
  requests: RequestSequence,
): Promise<number> {
  const { prepared } = requests;
  const share = prepared === null ? REPEATED : Math.ceil((seconds * prepared) / CONNECTIONS);
  const limit = prepared === null ? {} : { maxConnectionRequests: share };
  const responsesByClient = new Map<unknown, number>();
  let clients = 0;
  let first = 0;
  let last = 0;
  let responses = 0;
  const options: Options = {
    url,
    ...limit,
    connections: CONNECTIONS,
    duration: seconds,
    sampleInt: 50,
    // Starts before the requests are prepared, which takes more than the default on a busy machine.
    timeout: 60,
    setupClient(client) {
      const offset = requests.at + clients++;
      client.setRequests(
        Array.from({ length: share }, (_, i) => requests.draw(offset + i * CONNECTIONS)),
      );
    },
  };
  const result = await run(options, (client) => {
    last = performance.now();
    if (responses++ === 0) first = last;
    responsesByClient.set(client, (responsesByClient.get(client) ?? 0) + 1);
  });
  // One more per client: sent, but without a response before the end.
  const most = Math.min(share, Math.max(0, ...responsesByClient.values()) + 1);
  requireSuccess(result);
  if (responses < 2) throw new Error(`Too few responses from ${url} in ${seconds} s`);
  requests.at += most * CONNECTIONS;
  return ((responses - 1) / (last - first)) * 1000;
}

/** Runs autocannon. Throws unless every response is a 2xx. */
export async function sendLoad(options: Options): Promise<void> {
  requireSuccess(await run(options));
}

async function run(options: Options, onResponse: (client: unknown) => void = () => {}) {
  // Imported on demand: only a run installs the tools, not --help.
  const { default: autocannon } = await import("autocannon");
  return new Promise<Result>((resolve, reject) => {
    autocannon(options, (error, result) => (error ? reject(error) : resolve(result))).on(
      "response",
      onResponse,
    );
  });
}

function requireSuccess({ non2xx, errors, timeouts, statusCodeStats }: Result): void {
  if (non2xx + errors + timeouts === 0) return;
  throw new Error(
    `Not all responses were 2xx: ${JSON.stringify({ errors, timeouts, statusCodeStats })}`,
  );
}
