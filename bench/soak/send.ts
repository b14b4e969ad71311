import autocannon, { type Result } from "autocannon";
import type { Asked } from "@/bench/load";

const CONNECTIONS = 16;
/** Sixteen concurrent page requests delay each other on a busy machine. */
const TIMEOUT_SECONDS = 60;

/**
 * Sends the requests `draw(from)` to `draw(from + amount - 1)` once each, over 16 connections at
 * once. Throws unless every response is a 2xx.
 */
export async function send(
  url: string,
  { from, amount, draw }: { from: number; amount: number; draw: (index: number) => Asked },
): Promise<void> {
  let next = from;
  const { non2xx, errors, timeouts, statusCodeStats } = await new Promise<Result>(
    (resolve, reject) => {
      autocannon(
        {
          url,
          connections: Math.min(CONNECTIONS, amount),
          amount,
          timeout: TIMEOUT_SECONDS,
          setupClient(client) {
            const share = client.responseMax ?? 0;
            client.setRequests(Array.from({ length: share }, () => draw(next++)));
          },
        },
        (error, done) => (error ? reject(error) : resolve(done)),
      );
    },
  );
  if (non2xx + errors + timeouts === 0) return;
  throw new Error(
    `Not all responses were 2xx: ${JSON.stringify({ errors, timeouts, statusCodeStats })}`,
  );
}
