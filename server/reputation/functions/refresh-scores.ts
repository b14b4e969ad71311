import { and, asc, gt, lt } from "drizzle-orm";
import { cron } from "inngest";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { utcDay } from "@/server/reputation/record";
import { reputations } from "@/server/reputation/tables";
import { updateReputation } from "@/server/reputation/update";

/** So large that a million agents take fewer steps than a run may have, a thousand. */
const BATCH = 2_000;

/**
 * Brings stored scores to the UTC day, soon after it began: evidence decays and tenure grows at
 * midnight and at no other time. A score that is of the day already is left alone, so a run cut short
 * is taken up where it stopped, by its retry or within the hour. Every hour, as a tick that finds
 * nobody up never comes again; all but the first of a day find nothing to do.
 */
export const refreshScores = (core: FunctionCore) =>
  core.inngest.createFunction(
    {
      id: "refresh-scores",
      triggers: [cron("5 * * * *")],
      retries: 3,
      // A run that takes longer than an hour and the one after it take turns, not the same batch.
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

/**
 * Refreshes up to `size` scores of days before `now`, of wallets that sort behind `after`. Answers
 * where the next batch begins, or null at the end.
 */
export async function refreshBatch(
  core: Pick<Core, "db" | "publish">,
  { now, after, size }: { now: Date; after: string; size: number },
): Promise<string | null> {
  const stale = await core.db
    .select({ wallet: reputations.wallet })
    .from(reputations)
    .where(and(lt(reputations.scoreDay, utcDay(now)), gt(reputations.wallet, after)))
    .orderBy(asc(reputations.wallet))
    .limit(size);
  for (const { wallet } of stale) {
    await core.db.transaction(async (tx) => {
      const { event } = await updateReputation(tx, { wallet, cause: "day", now });
      if (event) await core.publish(tx, [event]);
    });
  }
  return stale.length < size ? null : (stale.at(-1)?.wallet ?? null);
}
