import autocannon, { type Result } from "autocannon";

const CONNECTIONS = 16;

export interface Asked {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** An endless row of requests; each load goes on where the one before stopped. */
export interface Requests {
  at: number;
  draw(index: number): Asked;
  /** More a second than any server here answers: so many are made ready before the clock runs. */
  fastest: number;
}

/**
 * Requests answered a second by the server at `url`, asked over 16 connections at once. Every answer
 * must be a 2xx. Made ready are the requests' bytes, so that this process does little but write.
 */
export async function load(url: string, seconds: number, requests: Requests): Promise<number> {
  const share = Math.ceil((seconds * requests.fastest) / CONNECTIONS);
  const answered = new Map<unknown, number>();
  let client = 0;
  let first = 0;
  let last = 0;
  let all = 0;
  const result = await new Promise<Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections: CONNECTIONS,
        duration: seconds,
        sampleInt: 50,
        setupClient(one) {
          const offset = requests.at + client++;
          one.setRequests(
            Array.from({ length: share }, (_, i) => requests.draw(offset + i * CONNECTIONS)),
          );
        },
      },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    run.on("response", (one: unknown) => {
      last = performance.now();
      if (all++ === 0) first = last;
      answered.set(one, (answered.get(one) ?? 0) + 1);
    });
  });
  if (result.non2xx + result.errors + result.timeouts > 0) {
    const { errors, timeouts, statusCodeStats } = result;
    throw new Error(
      `Not all answers were 2xx: ${JSON.stringify({ errors, timeouts, statusCodeStats })}`,
    );
  }
  // One more each: sent, and not answered before the end.
  const most = Math.max(...answered.values()) + 1;
  if (most > share) throw new Error(`More than ${requests.fastest} requests a second: raise it`);
  requests.at += most * CONNECTIONS;
  return ((all - 1) / (last - first)) * 1000;
}
