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
  /** Calls of one kind usually take about as long. */
  kind: string;
  repeatsOverdue: boolean;
  queueKey?: QueueKey | undefined;
}

/** Thrown if a call had to give way to others. */
export class Overdue extends Error {}

/**
 * Limits concurrent calls to `concurrency`, a quarter of them in the slow queue. An overdue call gives
 * way as soon as others wait: it continues in the slow queue if that has room. Otherwise it is aborted,
 * and repeated there with `repeatsOverdue`, or else fails with `Overdue`. So slow texts delay others by a
 * few times the usual latency at most, however many there are.
 */
export function createCallQueues(concurrency: number) {
  const permits = countSlowPermits(concurrency);
  const usual = new FairQueue(Math.max(1, concurrency - permits));
  const slow = new FairQueue(permits);
  /** Moving average of the latency of answered calls in milliseconds, by kind. */
  const latencies = new Map<string, number>();

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
    const usualMs = latencies.get(kind) ?? FIRST_PATIENCE_MS / PATIENCE_FACTOR;
    let patienceMs = Math.max(MIN_PATIENCE_MS, usualMs * PATIENCE_FACTOR);
    while (!(await settlesWithin(call, patienceMs))) {
      if (usual.waiting > 0) return true;
      patienceMs = CHECK_INTERVAL_MS;
    }
    return false;
  }

  /** Adds the latency of an answered call to the average of its kind. */
  function recordLatency(kind: string, latencyMs: number): void {
    const before = latencies.get(kind) ?? latencyMs;
    latencies.set(kind, before + SMOOTHING * (latencyMs - before));
  }

  return { run, recordLatency };
}

/** Returns how many of `concurrency` calls the slow queue may make. */
export const countSlowPermits = (concurrency: number): number =>
  Math.max(1, Math.floor(concurrency / 4));

const settlesWithin = (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    const settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settle, settle);
  });
