import { afterEach, describe, expect, test, vi } from "vitest";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { countSlowPermits, createCallQueues, Overdue } from "./call-queues";

afterEach(() => void vi.useRealTimers());

const VOTE = { queue: "usual", kind: "vote", repeatsOverdue: false } as const;

/** Returns queues that know that a vote usually takes 100 ms. */
function createTrainedLanes(concurrency: number) {
  const queues = createCallQueues(concurrency);
  queues.recordLatency("vote", 100);
  return queues;
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
    const { run } = createTrainedLanes(8);
    const slow = createCall("late");
    const result = run(VOTE, slow.call);
    await vi.advanceTimersByTimeAsync(60_000);
    slow.finish();
    await expect(result).resolves.toBe("late");
  });

  test("continues in the slow queue while that has room, and another call starts", async () => {
    vi.useFakeTimers();
    const { run } = createTrainedLanes(2);
    const [slow, next] = [createCall("late"), createCall("next")];
    const results = [run(VOTE, slow.call), run(VOTE, next.call)];
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
    const { run } = createTrainedLanes(2);
    const calls = [createCall("first"), createCall("second"), createCall("third")];
    const results = calls.map(({ call }) => run(VOTE, call));
    const second = expect(results[1]).rejects.toBeInstanceOf(Overdue);
    await vi.advanceTimersByTimeAsync(2_100);
    await second;
    calls[2]?.finish();
    calls[0]?.finish();
    await expect(results[2]).resolves.toBe("third");
    await expect(results[0]).resolves.toBe("first");
  });

  test("is repeated in the slow queue, once that has room, if it must not fail", async () => {
    vi.useFakeTimers();
    const { run } = createTrainedLanes(8);
    const texts = Array.from({ length: 2 }, () => createCall("text"));
    const reviews = Array.from({ length: 6 }, () => createCall("review"));
    for (const { call } of texts) void run({ ...VOTE, queue: "slow" }, call);
    const results = reviews.map(({ call }) => run({ ...VOTE, repeatsOverdue: true }, call));
    const honest = run(VOTE, async () => "answer");
    await vi.advanceTimersByTimeAsync(2_000);
    await expect(honest).resolves.toBe("answer");
    for (const { finish } of texts) finish();
    for (let finished = 0; finished < reviews.length; finished++) {
      await vi.advanceTimersByTimeAsync(60_000);
      for (const { finish } of reviews) finish();
    }
    await expect(Promise.all(results)).resolves.toEqual(Array(6).fill("review"));
  });
});

test("twenty slow texts delay another call by a few usual latencies", async () => {
  vi.useFakeTimers();
  const { run } = createTrainedLanes(8);
  const slow = Array.from({ length: 20 }, () => run(VOTE, createCall("never").call));
  const settled = Promise.allSettled(slow);
  const honest = run(VOTE, async () => "answer");
  await vi.advanceTimersByTimeAsync(4_000);
  await expect(honest).resolves.toBe("answer");
  void settled;
});

test("many calls of one client delay another's by one of them, in either queue", async () => {
  const { run } = createTrainedLanes(2);
  for (const queue of ["usual", "slow"] as const) {
    const started: string[] = [];
    const flood = Array.from({ length: 6 }, (_, n) => createCall(`flood ${n}`));
    const start = (queueKey: QueueKey, name: string, call: () => Promise<unknown>) =>
      run({ ...VOTE, queue, queueKey }, () => {
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
  const { run } = createTrainedLanes(4);
  for (let count = 0; count < 5; count++) {
    void run({ ...VOTE, queue: "slow" }, createCall("never").call);
  }
  await expect(run(VOTE, async () => "answer")).resolves.toBe("answer");
});

test("a call's own error is passed on, and frees its slot", async () => {
  const { run } = createTrainedLanes(1);
  const failed = run(VOTE, () => Promise.reject(new TypeError("a bug")));
  await expect(failed).rejects.toThrow("a bug");
  await expect(run(VOTE, async () => 1)).resolves.toBe(1);
});
