import { describe, expect, test } from "vitest";
import { defineFunction, type FunctionOptions } from "@/server/lib/background-function";
import { createInngest } from "@/server/lib/inngest";
import { toInngest, toRegistered } from "./function-table";

const define = (options: Partial<FunctionOptions>) =>
  defineFunction({ id: "fn", retries: 0, triggers: [{ event: "e" }], ...options }, () => {});

describe("rejects a trigger that the engine would not honor, and names the function", () => {
  test.each([
    [{ event: "outcome/*" }],
    [{ event: "inngest/function.failed" }],
    [{ cron: "60 * * * *" }],
    [{ cron: "*/5 * * * *" }],
    [{ cron: "TZ=Europe/Vienna 0 9 * * *" }],
  ])("%j", (trigger) => {
    const triggers = [trigger] as FunctionOptions["triggers"];
    expect(() => toRegistered([define({ triggers })])).toThrow('Function "fn":');
  });
});

test("registers attempts, events, crons and limits", () => {
  const fn = define({
    retries: 5,
    triggers: [{ event: "e" }, { cron: "5 * * * *" }, { cron: "* * * * *" }],
    concurrency: { limit: 3, field: "wallet", perValue: 2 },
  });
  expect(toRegistered([fn])).toEqual([
    {
      id: "standing-fn",
      maxAttempts: 6,
      events: ["e"],
      minutes: [5, null],
      limit: 3,
      field: "wallet",
      perValue: 2,
    },
  ]);
  expect(toRegistered([define({})])[0]).toMatchObject({ limit: null, field: null, perValue: null });
});

test("Inngest gets one function for each declaration", () => {
  const client = createInngest({ isDev: true, baseUrl: "http://inngest.invalid" });
  expect(toInngest(client, [define({ id: "a" }), define({ id: "b" })])).toHaveLength(2);
});
