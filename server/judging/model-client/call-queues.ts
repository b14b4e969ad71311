import { FairQueue, type QueueKey } from "@/server/lib/process/fair-queue";

/** `slow`: for texts that the model answers slowly or never; see `createCallQueues`. */
export type QueueName = "usual" | "slow";

const CHECK_INTERVAL_MS = 250;

/**
 * Creates a function that makes at most `concurrency` calls at a time, a quarter of them in the slow
 * queue. A call in the usual queue that lasts longer than `patienceMs` gives way as soon as others wait:
 * it continues in the slow queue if that has room; otherwise it is aborted, and null is returned.
 */
export function createCallQueues(concurrency: number, patienceMs: number) {
  const permits = countSlowPermits(concurrency);
  const usual = new FairQueue(Math.max(1, concurrency - permits));
  const slow = new FairQueue(permits);

  /** Waits until `call` settles or has to give way; returns which. */
  async function mustGiveWay(call: Promise<unknown>): Promise<boolean> {
    const settled = call.then(() => true).catch(() => true);
    const wait = (ms: number) =>
      new Promise<false>((end) => void setTimeout(end, ms, false).unref());
    for (let waitMs = patienceMs; ; waitMs = CHECK_INTERVAL_MS) {
      if (await Promise.race([settled, wait(waitMs)])) return false;
      if (usual.waiting > 0) return true;
    }
  }

  return async <T>(
    queue: QueueName,
    queueKey: QueueKey | undefined,
    call: (overdue: AbortSignal) => Promise<T>,
  ): Promise<T | null> => {
    const controller = new AbortController();
    if (queue === "slow") return slow.run(queueKey, () => call(controller.signal));
    const { result } = await usual.run(queueKey, async () => {
      const result = call(controller.signal);
      // In an object, since an async function would wait for a bare promise.
      if (!(await mustGiveWay(result))) return { result };
      if (slow.running < permits) return { result: slow.run(queueKey, () => result) };
      controller.abort();
      await result.catch(() => {});
      return { result: null };
    });
    return result;
  };
}

/** Returns how many of `concurrency` calls the slow queue may make. */
export const countSlowPermits = (concurrency: number): number =>
  Math.max(1, Math.floor(concurrency / 4));
