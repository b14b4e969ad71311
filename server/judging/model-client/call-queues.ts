import { FairQueue, type QueueKey } from "@/server/lib/process/fair-queue";

/** `slow`: for texts that the model answers slowly or never; see `createCallQueues`. */
export type QueueName = "usual" | "slow";

/** A call is overdue after this many times the usual latency of its kind. */
const PATIENCE_FACTOR = 4;
const MIN_PATIENCE_MS = 1_000;
/** Before a call of its kind was answered. */
const FIRST_PATIENCE_MS = 10_000;
const CHECK_INTERVAL_MS = 250;
/** Weight of the latest latency in the moving average. */
const SMOOTHING = 0.2;

interface CallOptions {
  queue: QueueName;
  kind: string;
  repeatsOverdue: boolean;
  queueKey?: QueueKey | undefined;
}

/** Thrown if a call had to give way to others. */
export class Overdue extends Error {
  override name = "Overdue";
}

/**
 * Limits concurrent calls to `concurrency`, a quarter of them in the slow queue. An overdue call
 * gives way as soon as others wait: it continues in the slow queue if that has room, and is
 * otherwise aborted, to be repeated in the slow queue. So slow texts delay others by a few times the
 * usual latency at most, however many there are.
 */
export function createCallQueues(concurrency: number) {
  const permits = countSlowPermits(concurrency);
  const usual = new FairQueue(Math.max(1, concurrency - permits));
  const slow = new FairQueue(permits);
  /** Moving average of the latency of answered calls in milliseconds, by kind. */
  const latencies = new Map<string, number>();

  /**
   * Makes a call when its queue has room. `kind`: calls of one kind usually take about as long, such
   * as the votes of one model. An aborted call is repeated here with `repeatsOverdue`, and otherwise
   * fails with `Overdue`.
   */
  async function run<T>(
    { queue, kind, repeatsOverdue, queueKey }: CallOptions,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const callSlowly = () => slow.run(queueKey, () => call(new AbortController().signal));
    if (queue === "slow") return callSlowly();
    const controller = new AbortController();
    const { result } = await usual.run(queueKey, async () => {
      const result = call(controller.signal);
      // In an object, since an async function would wait for a bare promise.
      if (!(await mustGiveWay(result, kind))) return { result };
      if (slow.running < permits) return { result: slow.run(queueKey, () => result) };
      controller.abort();
      await result.catch(() => {});
      if (repeatsOverdue) return { result: callSlowly() };
      throw new Overdue();
    });
    return result;
  }

  /** Waits until `call` settles or is overdue while others wait; returns which. */
  async function mustGiveWay(call: Promise<unknown>, kind: string): Promise<boolean> {
    const usualMs = latencies.get(kind);
    const patienceMs =
      usualMs === undefined
        ? FIRST_PATIENCE_MS
        : Math.max(MIN_PATIENCE_MS, usualMs * PATIENCE_FACTOR);
    if (await settlesWithin(call, patienceMs)) return false;
    while (usual.waiting === 0) {
      if (await settlesWithin(call, CHECK_INTERVAL_MS)) return false;
    }
    return true;
  }

  /** Adds the latency of an answered call to the average of its kind. */
  function recordLatency(kind: string, latencyMs: number): void {
    const before = latencies.get(kind) ?? latencyMs;
    latencies.set(kind, before + SMOOTHING * (latencyMs - before));
  }

  return { run, recordLatency };
}

/** Returns how many of `concurrency` calls the slow queue may make. */
export function countSlowPermits(concurrency: number): number {
  return Math.max(1, Math.floor(concurrency / 4));
}

function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    const settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settle, settle);
  });
}
