import { defineFunction } from "@/server/lib/background-function";
import type { FunctionCore } from "@/server/lib/inngest";
import { keepStatus } from "@/server/operations/status-days";
import type { CheckedPart } from "@/server/operations/tables";

/** Keeps, every minute, which parts are down, for the history on the status page. */
export const keepStatusEveryMinute = (core: FunctionCore, findDown: () => Promise<CheckedPart[]>) =>
  defineFunction({ id: "keep-status", triggers: [{ cron: "* * * * *" }], retries: 0 }, ({ step }) =>
    step.run("keep", async () => keepStatus(core.db, await findDown(), new Date())),
  );
