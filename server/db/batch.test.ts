import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createBatcher } from "./batch";

const FAULTY = 13;
const rejection = Object.assign(new Error("rejected"), { code: "22P02" });

/** Creates a batcher that doubles numbers and collects the batches it ran, of which one at a time runs. */
function createDoubler() {
  const batches: number[][] = [];
  let running = 0;
  const double = createBatcher(async (items: number[]) => {
    running += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    if (items.includes(FAULTY)) throw rejection;
    batches.push(items);
    return items.map((item) => item * 2);
  });
  return { batches, double };
}

test("each item gets its own result; only items that the database rejects fail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 }),
      async (items) => {
        const { batches, double } = createDoubler();
        const results = await Promise.allSettled(items.map(double));
        expect(results).toEqual(
          items.map((item) =>
            item === FAULTY
              ? { status: "rejected", reason: rejection }
              : { status: "fulfilled", value: item * 2 },
          ),
        );
        expect(batches.flat()).toEqual(items.filter((item) => item !== FAULTY));
      },
    ),
    { numRuns: 30 },
  );
});

test("calls made while a batch runs share the next one", async () => {
  const { batches, double } = createDoubler();
  const first = [double(1), double(2)];
  await new Promise((resolve) => setImmediate(resolve));
  const second = [double(3), double(4), double(5)];
  await Promise.all([...first, ...second]);
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
});

test("a batch has a maximum size", async () => {
  const { batches, double } = createDoubler();
  await Promise.all(Array.from({ length: 450 }, (_, n) => double(n + 100)));
  expect(batches.map(({ length }) => length)).toEqual([200, 200, 50]);
});

test("an error that is not about the data fails the whole batch", async () => {
  let runs = 0;
  const call = createBatcher(async () => {
    runs += 1;
    throw new Error("connection closed");
  });
  const results = await Promise.allSettled([call(1), call(2)]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(runs).toBe(1);
});

test("several batches run at once if allowed", async () => {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const call = createBatcher(
    async (items: number[]) => {
      batches.push(items);
      await new Promise<void>((end) => ends.push(end));
      return items;
    },
    { atOnce: 2 },
  );
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const calls: Promise<number>[] = [];
  for (const items of [[1, 2], [3], [4], [5, 6]]) {
    for (const item of items) calls.push(call(item));
    await nextTurn();
  }
  expect(batches).toEqual([[1, 2], [3]]);
  ends[0]?.();
  await vi.waitFor(() => expect(batches).toEqual([[1, 2], [3], [4, 5, 6]]));
  for (const end of ends) end();
  expect(await Promise.all(calls)).toEqual([1, 2, 3, 4, 5, 6]);
});
