import { expect, test } from "vitest";
import { defineFunction, type FunctionOptions } from "@/server/lib/background-function";
import { parseEnv } from "@/server/lib/env";
import { toRegistered } from "./function-table";

const env = parseEnv({});
const define = (options: Partial<FunctionOptions>) =>
  defineFunction({ id: "fn", retries: 0, triggers: [{ event: "e" }], ...options }, () => {});

test("registers events, crons and limits", () => {
  const fn = define({
    triggers: [{ event: "e" }, { cron: "5 * * * *" }, { cron: "* * * * *" }],
    concurrency: { limit: 3, field: "wallet", perValue: 2 },
  });
  expect(toRegistered(fn, env)).toEqual({
    id: "standing-fn",
    events: ["e", "inngest/scheduled.timer", "inngest/scheduled.timer"],
    crons: ["5 * * * *", "* * * * *"],
    limit: 3,
    field: "wallet",
    perValue: 2,
  });
  expect(toRegistered(define({}), env)).toMatchObject({ limit: null, field: null, perValue: null });
});
