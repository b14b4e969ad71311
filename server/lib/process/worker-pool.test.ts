import { threadId } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { getThreadId } from "@/server/testing/process/worker-tasks";
import { closeWorkerPool, inWorker } from "./worker-pool";

const MODULE = "server/testing/process/worker-tasks.ts";
const echo = inWorker<[unknown], unknown>(MODULE, "echo");
const spin = inWorker<[], never>(MODULE, "spin", { timeMs: 200 });
const nest = inWorker<[], never>(MODULE, "nest");
const fail = inWorker<[], never>(MODULE, "fail");
const environment = inWorker<[], string[]>(MODULE, "listVariables");

afterAll(() => closeWorkerPool());

test("resolves to the result of the function", async () => {
  const value = { text: "Ä", list: [1, null], undefined };
  expect(await echo(value)).toEqual({ ok: true, value });
});

test("stops a call at its time limit and runs the next one", async () => {
  expect(await spin()).toEqual({ ok: false, limit: "time" });
  expect(await echo(1)).toEqual({ ok: true, value: 1 });
});

test("reports the memory limit for a call that exhausts the stack", async () => {
  expect(await nest()).toEqual({ ok: false, limit: "memory" });
});

test("rejects with an error of the function", async () => {
  await expect(fail()).rejects.toThrow("a fault of the code");
});

test.each(["returnFunction", "throwFunction"])(
  "rejects with an error that names the function, for %s, and runs the next call",
  async (name) => {
    const call = inWorker<[], never>(MODULE, name);
    await expect(call()).rejects.toThrow(`${name} in ${MODULE} returned or threw`);
    expect(await echo(1)).toEqual({ ok: true, value: 1 });
  },
);

test("does not count a thread's first call, to warm up, whatever ended the thread before", async () => {
  const compileOnce = inWorker<[], string>(MODULE, "compileOnce", { timeMs: 1, warmUp: [] });
  for (let thread = 0; thread < 2; thread++) {
    expect(await compileOnce()).toEqual({ ok: true, value: "done" });
    expect(await spin()).toEqual({ ok: false, limit: "time" });
  }
});

test("does not count time in the queue", async () => {
  const slow = spin();
  const waiting = inWorker<[unknown], unknown>(MODULE, "echo", { timeMs: 1 });
  expect(await waiting(1)).toEqual({ ok: true, value: 1 });
  expect(await slow).toEqual({ ok: false, limit: "time" });
});

test("runs a call of another client after at most one of a client with many", async () => {
  const order: string[] = [];
  const call = (client: string, wallet: string) =>
    echo
      .for([client, wallet])("")
      .then(() => order.push(client));
  const flood = Array.from({ length: 20 }, (_, n) => call("flood", `wallet ${n}`));
  await Promise.all([...flood, call("innocent", "a")]);
  expect(order.indexOf("innocent")).toBe(1);
});

test("does not delay a short text behind a slow long one", async () => {
  const order: string[] = [];
  const slow = inWorker<[string], never>(MODULE, "spin", { timeMs: 200 });
  await Promise.all([
    slow("x".repeat(100_000)).then(() => order.push("long")),
    echo("short").then(() => order.push("short")),
  ]);
  expect(order).toEqual(["short", "long"]);
});

test("calls a function for short arguments in the thread of the caller", async () => {
  const getThread = inWorker<[string], number>(MODULE, "getThreadId", { forShort: getThreadId });
  expect(await getThread("x".repeat(4_096))).toEqual({ ok: true, value: threadId });
  expect(await getThread("x".repeat(4_097))).not.toEqual({ ok: true, value: threadId });
});

test("runs threads with an empty environment", async () => {
  expect(await environment()).toEqual({ ok: true, value: [] });
});

test("starts a new pool for a call after closing", async () => {
  await closeWorkerPool();
  expect(await echo(2)).toEqual({ ok: true, value: 2 });
});
