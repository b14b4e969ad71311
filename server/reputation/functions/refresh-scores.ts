import { defineFunction } from "@/server/lib/background-function";
import type { FunctionCore } from "@/server/lib/inngest";
import { refreshBatch } from "@/server/reputation/refresh";

/** Large enough that a million agents take fewer steps than a run's limit of a thousand. */
const BATCH = 2_000;

/**
 * Brings stored scores up to the current UTC day soon after it begins: evidence decays and tenure
 * grows at midnight only. Scores that are already current are skipped, so an interrupted run is
 * resumed by its retry or within the hour. Runs every hour because a cron tick is lost if no
 * instance is up; normally only the first run of a day has work to do.
 */
export const refreshScores = (core: FunctionCore) =>
  defineFunction(
    {
      id: "refresh-scores",
      triggers: [{ cron: "5 * * * *" }],
      retries: 3,
      // Keeps a run longer than an hour and the next one from processing the same batch.
      concurrency: { limit: 1 },
    },
    async ({ step }) => {
      const now = await step.run("day", () => new Date().toISOString());
      let after: string | null = "";
      for (let batch = 0; after !== null; batch += 1) {
        const from: string = after;
        after = await step.run(`batch-${batch}`, () =>
          refreshBatch(core, { now: new Date(now), after: from, size: BATCH }),
        );
      }
    },
  );
