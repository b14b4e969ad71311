import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairQueue, type QueueKey } from "./fair-queue";

/** Starts work that runs until `finish` is called; `started` lists its names in order. */
function createWork(limit: number) {
  const queue = new FairQueue(limit);
  const started: string[] = [];
  const finishes = new Map<string, () => void>();
  const add = (queueKey: QueueKey, name: string) =>
    queue.run(queueKey, () => {
      started.push(name);
      return new Promise<void>((resolve) => finishes.set(name, resolve));
    });
  const finish = async (name: string) => {
    finishes.get(name)?.();
    finishes.delete(name);
    await settle();
  };
  return { queue, started, finishes, add, finish };
}

/** Waits until every promise that can settle has settled. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("work of one client that fills the queue", () => {
  test.each([1, 3])("delays another client by one running work, with %i permits", async (limit) => {
    const { started, add, finish } = createWork(limit);
    for (let n = 0; n < 50; n++) void add(["flood", `wallet ${n}`], `flood ${n}`);
    await settle();
    void add(["innocent", "a"], "innocent");
    await finish("flood 0");
    expect(started.slice(limit)).toEqual(["innocent"]);
  });

  test("alternates with another client, whatever wallets it uses", async () => {
    const { started, finishes, add, finish } = createWork(1);
    for (let n = 0; n < 20; n++) void add(["flood", `wallet ${n}`], `flood ${n}`);
    for (let n = 0; n < 3; n++) void add(["innocent", "a"], `innocent ${n}`);
    await settle();
    for (let n = 0; n < 5; n++) await finish([...finishes.keys()][0] ?? "");
    expect(started).toEqual([
      "flood 0",
      "innocent 0",
      "flood 1",
      "innocent 1",
      "flood 2",
      "innocent 2",
    ]);
  });
});

test("starts all parts of another client's work before more of one with much", async () => {
  const { started, finishes, add, finish } = createWork(2);
  for (let n = 0; n < 9; n++) void add(["flood", "a"], `flood ${n}`);
  await settle();
  for (let n = 0; n < 3; n++) await finish([...finishes.keys()][0] ?? "");
  for (let n = 0; n < 2; n++) void add(["innocent", "a"], `innocent ${n}`);
  for (let n = 0; n < 2; n++) await finish([...finishes.keys()][0] ?? "");
  expect(started.slice(-2)).toEqual(["innocent 0", "innocent 1"]);
});

test("alternates between the wallets of a client", async () => {
  const { started, finishes, add, finish } = createWork(1);
  for (let n = 0; n < 5; n++) void add(["client", "a"], `a${n}`);
  void add(["client", "b"], "b0");
  await settle();
  for (let n = 0; n < 2; n++) await finish([...finishes.keys()][0] ?? "");
  expect(started).toEqual(["a0", "b0", "a1"]);
});

test("lets one client use every permit while no other waits", async () => {
  const { started, add } = createWork(4);
  for (let n = 0; n < 6; n++) void add(["client", "a"], `a${n}`);
  await settle();
  expect(started).toEqual(["a0", "a1", "a2", "a3"]);
});

test("rejects work whose signal aborts while it waits, and never starts it", async () => {
  const { queue, started, add, finish } = createWork(1);
  void add(["client", "a"], "first");
  await settle();
  const controller = new AbortController();
  const given = queue.run(["client", "a"], () => started.push("given up"), controller.signal);
  controller.abort(new Error("too late"));
  await expect(given).rejects.toThrow("too late");
  void add(["client", "a"], "second");
  await finish("first");
  expect(started).toEqual(["first", "second"]);
});

test("releases the permit of work that fails", async () => {
  const queue = new FairQueue(1);
  await expect(queue.run(undefined, () => Promise.reject(new Error("broken")))).rejects.toThrow();
  expect(await queue.run(undefined, () => "next")).toBe("next");
});

const arrivals = fc.array(
  fc.record({ client: fc.integer({ min: 0, max: 4 }), wallet: fc.integer({ min: 0, max: 2 }) }),
  { maxLength: 40 },
);

test("runs everything once, within the limit, with no permit free while work waits", () =>
  fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 4 }), async (list, limit) => {
      const { queue, started, finishes, add, finish } = createWork(limit);
      const names = list.map(({ client, wallet }, n) => {
        void add([`${client}`, `${wallet}`], `${n}`);
        return `${n}`;
      });
      await settle();
      while (finishes.size > 0) {
        expect(queue.running).toBe(finishes.size);
        expect(queue.running).toBe(Math.min(limit, queue.running + queue.waiting));
        await finish([...finishes.keys()][0] ?? "");
      }
      expect(started.toSorted()).toEqual(names.toSorted());
      expect(queue.waiting).toBe(0);
    }),
  ));

test("serves waiting clients equally often: none twice before another once", () =>
  fc.assert(
    fc.asyncProperty(arrivals, async (list) => {
      const { started, finishes, add, finish } = createWork(1);
      const left = new Map<string, number>();
      for (const [n, { client, wallet }] of list.entries()) {
        left.set(`${client}`, (left.get(`${client}`) ?? 0) + 1);
        void add([`${client}`, `${wallet}`], `${client} ${n}`);
      }
      await settle();
      while (finishes.size > 0) await finish([...finishes.keys()][0] ?? "");
      let since: string[] = [];
      for (const name of started) {
        const client = name.split(" ")[0] ?? "";
        if (since.includes(client)) {
          expect([...left].filter(([other, n]) => n > 0 && !since.includes(other))).toEqual([]);
          since = [];
        }
        since.push(client);
        left.set(client, (left.get(client) ?? 0) - 1);
      }
    }),
  ));
