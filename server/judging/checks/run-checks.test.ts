import { afterAll, describe, expect, test, vi } from "vitest";
import { closeWorkerPool } from "@/server/lib/process/worker-pool";
import { runChecksOffline } from "@/server/testing/model/offline-checks";
import type { CheckInput } from "./check";
import { isUnfinished } from "./run-checks";

// Threads start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });
afterAll(() => closeWorkerPool());

/** Just below the size of the thread for ordinary texts. */
const LONG_TEXT = "The river carries water to the sea, and the delta grows. ".repeat(400);
const state = (count: number) =>
  Array.from({ length: count }, (_, n) => `Include the word "term${n}x".`).join("\n");
const toInput = (task: string, text: string): CheckInput => ({ task, category: "content", text });
const ORDINARY = toInput('Name a river. Include the word "Rhine".', "The Rhine.");
const FLOOD = ["an address", "a wallet"] as const;
const INNOCENT = ["another address", "another wallet"] as const;

describe("beside texts with many requirements from one address", () => {
  test("another text waits for at most one of them", async () => {
    const order: string[] = [];
    await runChecksOffline(ORDINARY);
    const flood = Array.from({ length: 4 }, (_, n) =>
      runChecksOffline(toInput(state(200), `${LONG_TEXT}${n}`), { queueKey: FLOOD }).then(() =>
        order.push("flood"),
      ),
    );
    const innocent = runChecksOffline(ORDINARY, { queueKey: INNOCENT }).then(() =>
      order.push("innocent"),
    );
    await Promise.all([...flood, innocent]);
    expect(order.indexOf("innocent")).toBeLessThanOrEqual(1);
  });

  test("another text like them waits for at most one of them", async () => {
    const order: string[] = [];
    const input = toInput(state(20), LONG_TEXT);
    await runChecksOffline(input);
    const flood = Array.from({ length: 4 }, () =>
      runChecksOffline(input, { queueKey: FLOOD }).then(() => order.push("flood")),
    );
    const innocent = runChecksOffline(input, { queueKey: INNOCENT }).then(() =>
      order.push("innocent"),
    );
    await Promise.all([...flood, innocent]);
    expect(order.indexOf("innocent")).toBeLessThanOrEqual(1);
  });
});

describe("a task with more than thirty requirements", () => {
  test("is checked for the first thirty; the others count as over the limit", async () => {
    const facts = await runChecksOffline(toInput(state(40), "A term0x."));
    const stated = facts.filter(({ statement }) => statement !== "");
    expect(stated).toHaveLength(30);
    expect(stated.every(({ result }) => result.outcome !== "not-applicable")).toBe(true);
    expect(facts.filter(isUnfinished)).toMatchObject([{ check: "stated-limit", parameters: {} }]);
  });

  test("is checked in full if they only repeat each other", async () => {
    const facts = await runChecksOffline(toInput(state(3).repeat(20), "A term0x."));
    expect(facts.filter(isUnfinished)).toEqual([]);
  });
});
