import { expect, it } from "vitest";
import { keepFor } from "./keep-for";

function counted(options: { ms: number; most: number }) {
  let now = 0;
  const made: string[] = [];
  const keep = keepFor<string>(options, () => now);
  return {
    made,
    at: (time: number) => {
      now = time;
    },
    ask: (key: string, failing = false) =>
      keep(key, async () => {
        made.push(key);
        if (failing) throw new Error("not made");
        return `${key} ${made.length}`;
      }),
  };
}

it("makes once what many ask for, until it is too old", async () => {
  const { ask, at, made } = counted({ ms: 100, most: 2 });
  expect(await Promise.all([ask("a"), ask("a")])).toEqual(["a 1", "a 1"]);
  at(99);
  expect(await ask("a")).toBe("a 1");
  at(100);
  expect(await ask("a")).toBe("a 2");
  expect(made).toEqual(["a", "a"]);
});

it("keeps no more than it may, the youngest", async () => {
  const { ask, at } = counted({ ms: 100, most: 2 });
  await ask("a");
  at(1);
  await ask("b");
  at(2);
  await ask("c");
  expect(await ask("b")).toBe("b 2");
  expect(await ask("c")).toBe("c 3");
  expect(await ask("a")).toBe("a 4");
});

it("keeps no failure", async () => {
  const { ask } = counted({ ms: 100, most: 2 });
  await expect(ask("a", true)).rejects.toThrow("not made");
  expect(await ask("a")).toBe("a 2");
});
