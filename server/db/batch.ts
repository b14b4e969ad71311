import { setImmediate as nextTurn } from "node:timers/promises";
import { isPermanentError } from "./permanent-error";

interface Waiting<In, Out> {
  item: In;
  resolve(result: Out): void;
  reject(error: unknown): void;
}

/**
 * Options for queries that requests wait for. With one batch at a time, a connection that hangs
 * would block every request; with more than two, fewer calls share a batch.
 */
export const REQUEST_BATCH_OPTIONS = { atOnce: 2 };

/** Largest batch. More items make its statement slower instead of cheaper for each. */
const MAX_SIZE = 200;

/**
 * Combines concurrent calls, as a database's group commit does: while one batch runs, the next one
 * collects. A single call is not delayed.
 *
 * If the database rejects the data of a batch, each of its items runs alone: only the faulty ones
 * fail. Any other error fails the batch.
 *
 * @param run Must change nothing when it throws, and resolve to one result per item, in order.
 * @param options.atOnce Number of batches that run at once.
 */
export function createBatcher<In, Out>(
  run: (items: In[]) => Promise<Out[]>,
  { atOnce = 1 }: { atOnce?: number } = {},
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let running = 0;

  async function runAll(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      // Calls of the same turn of the event loop share a batch.
      await nextTurn();
      const batch = waiting.splice(0, MAX_SIZE);
      // Another batch that runs at once may have taken them.
      if (batch.length > 0) await runBatch(batch);
    }
    running -= 1;
  }

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Out);
    } catch (error) {
      if (batch.length > 1 && isPermanentError(error)) {
        for (const one of batch) await runBatch([one]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < atOnce) void runAll();
    });
}
