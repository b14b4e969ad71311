import { afterEach, describe, expect, test, vi } from "vitest";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { countSlowPermits, createCallQueues } from "./call-queues";

afterEach(() => void vi.useRealTimers());

const PATIENCE_MS = 1_000;

/** Returns functions that make a call of the service's own in either queue. */
function createQueues(concurrency: number) {
  const run = createCallQueues(concurrency, PATIENCE_MS);
  return {
    run: <T>(call: (overdue: AbortSignal) => Promise<T>) => run("usual", undefined, call),
    runSlowly: <T>(call: (overdue: AbortSignal) => Promise<T>) => run("slow", undefined, call),
  };
}

/** Returns a call that lasts until it is aborted or `finish` is called. */
function createCall<T>(value: T) {
  let finish = () => {};
  const call = vi.fn(
    (signal: AbortSignal) =>
      new Promise<T>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        finish = () => resolve(value);
      }),
  );
  return { call, finish: () => finish() };
}

test("a quarter of the permits are slow, at least one", () => {
  expect([1, 3, 4, 8, 40].map(countSlowPermits)).toEqual([1, 1, 1, 2, 10]);
});

describe("an overdue call", () => {
  test("keeps its slot while no other call waits", async () => {
    vi.useFakeTimers();
    const { run } = createQueues(8);
    const slow = createCall("late");
    const result = run(slow.call);
    await vi.advanceTimersByTimeAsync(60_000);
    slow.finish();
    await expect(result).resolves.toBe("late");
  });

  test("continues in the slow queue while that has room, and another call starts", async () => {
    vi.useFakeTimers();
    const { run } = createQueues(2);
    const [slow, next] = [createCall("late"), createCall("next")];
    const results = [run(slow.call), run(next.call)];
    await vi.advanceTimersByTimeAsync(900);
    expect(next.call).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(next.call).toHaveBeenCalledOnce();
    next.finish();
    slow.finish();
    await expect(Promise.all(results)).resolves.toEqual(["late", "next"]);
  });

  test("is aborted if the slow queue is full", async () => {
    vi.useFakeTimers();
    const { run } = createQueues(2);
    const calls = [createCall("first"), createCall("second"), createCall("third")];
    const results = calls.map(({ call }) => run(call));
    await vi.advanceTimersByTimeAsync(2_100);
    await expect(results[1]).resolves.toBeNull();
    expect(calls[1]?.call.mock.calls[0]?.[0].aborted).toBe(true);
    calls[2]?.finish();
    calls[0]?.finish();
    await expect(results[2]).resolves.toBe("third");
    await expect(results[0]).resolves.toBe("first");
  });
});

test("twenty slow texts delay another call by a few times the patience with one", async () => {
  vi.useFakeTimers();
  const { run } = createQueues(8);
  for (let count = 0; count < 20; count++) void run(createCall("never").call);
  const honest = run(async () => "answer");
  await vi.advanceTimersByTimeAsync(4 * PATIENCE_MS);
  await expect(honest).resolves.toBe("answer");
});

test("many calls of one client delay another's by one of them, in either queue", async () => {
  const run = createCallQueues(2, PATIENCE_MS);
  for (const queue of ["usual", "slow"] as const) {
    const started: string[] = [];
    const flood = Array.from({ length: 6 }, (_, n) => createCall(`flood ${n}`));
    const start = (queueKey: QueueKey, name: string, call: () => Promise<unknown>) =>
      run(queue, queueKey, () => {
        started.push(name);
        return call();
      });
    const results = flood.map(({ call }, n) =>
      start(["flood", `${n}`], "flood", () => call(new AbortController().signal)),
    );
    results.push(start(["innocent", "a"], "innocent", async () => "answer"));
    for (const { call, finish } of flood) {
      await vi.waitFor(() => expect(call).toHaveBeenCalled());
      finish();
    }
    await Promise.all(results);
    expect(started.indexOf("innocent")).toBe(1);
  }
});

test("calls of the slow queue never take the others' permits", async () => {
  const { run, runSlowly } = createQueues(4);
  for (let count = 0; count < 5; count++) void runSlowly(createCall("never").call);
  await expect(run(async () => "answer")).resolves.toBe("answer");
});

test("a call's own error is passed on, and frees its slot", async () => {
  const { run } = createQueues(1);
  const failed = run(() => Promise.reject(new TypeError("a bug")));
  await expect(failed).rejects.toThrow("a bug");
  await expect(run(async () => 1)).resolves.toBe(1);
});
