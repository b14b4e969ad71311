import { sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import type { Work } from "@/server/lib/work";
import { refreshBatch } from "./refresh";
import { reputations } from "./tables";

/** Large enough that a million agents take fewer steps than an Inngest run's limit of a thousand. */
const BATCH = 2_000;

/**
 * Stored scores of an earlier UTC day: evidence decays and tenure grows at midnight only. Normally only
 * the first sweep of a day has work to do; an interrupted one is continued by the next.
 */
export const oldScores: Work<{ core: Core }> = {
  name: "scores",
  every: "hour",
  waiting: {
    description: "UTC days of which scores are stored that the daily refresh has not reached",
    stalledAfterMs: 90 * MINUTE_MS,
    // The oldest day alone is a lookup; counting a million scores every few seconds would not be.
    select: () => sql`
      select min(score_day)::text as id, (min(score_day) + 1)::timestamp at time zone 'UTC' as since
      from ${reputations}`,
  },
  async sweep({ core }, { step, now }) {
    const start = await step.run("day", () => now.toISOString());
    let after: string | null = "";
    for (let batch = 0; after !== null; batch += 1) {
      const from: string = after;
      after = await step.run(`batch-${batch}`, () =>
        refreshBatch(core, { now: new Date(start), after: from, size: BATCH }),
      );
    }
  },
};
