import { FairQueue, type QueueKey } from "./fair-queue";

const queues = new Map<string, FairQueue>();

/**
 * Acquires the mutex for `key`, in order of the calls, or alternately if they name submitters.
 * Resolves to the function that releases it. Works within this process only.
 */
export async function acquireMutex(key: string, queueKey?: QueueKey): Promise<() => void> {
  const queue = queues.get(key) ?? new FairQueue(1);
  queues.set(key, queue);
  const release = await queue.acquire(queueKey);
  return () => {
    release();
    if (queue.running === 0) queues.delete(key);
  };
}
