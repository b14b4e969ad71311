import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { hastenFinality } from "@/server/chain/finality";
import type { Sender } from "@/server/chain/sender";
import { chainTransactions } from "@/server/chain/tables";
import { payouts } from "@/server/disputes/tables";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { payOut } from "@/server/settlement/pay-out";

/** Longer than one takes that can be paid at once; the next round looks again. */
const PATIENCE_MS = 2_000;
const BATCH = 100;
/** The next round comes after a minute. */
const ENOUGH_MS = 45_000;

/** That a payout, with its transaction beside it, is not done. */
export const isUndone = or(
  inArray(payouts.status, ["waiting", "signed"]),
  and(eq(payouts.status, "paid"), ne(chainTransactions.status, "final")),
);

/**
 * Brings forward every payout that is not done, whatever its age: finality takes minutes where it
 * takes any time, and doing it beside its own run does no harm. Done is what was paid in a final
 * block: a reorganisation can undo what was only confirmed. How many were paid or voided.
 */
export async function payStalled(core: Core, sender: Sender): Promise<number> {
  const end = Date.now() + ENOUGH_MS;
  const undone = await core.db
    .select({ id: payouts.id, status: payouts.status })
    .from(payouts)
    .leftJoin(chainTransactions, eq(chainTransactions.id, payouts.transactionId))
    .where(isUndone)
    // Not the oldest first: some that can never be paid would keep all others out.
    .orderBy(sql`random()`)
    .limit(BATCH);
  if (undone.length > 0) await hastenFinality(sender.chain);
  let done = 0;
  for (const { id, status } of undone) {
    if (Date.now() > end) break;
    try {
      const state = await payOut(core, sender, id, PATIENCE_MS);
      if (state !== status && (state === "paid" || state === "void")) done += 1;
    } catch (error) {
      // One that hangs must not keep the others from being paid.
      core.log.error({ err: error, payoutId: id }, "a payout could not be brought forward");
    }
  }
  return done;
}

export const payStalledPayouts = (core: FunctionCore, sender: Sender) =>
  core.inngest.createFunction(
    {
      id: "pay-stalled-payouts",
      triggers: [{ cron: "* * * * *" }],
      retries: 0,
      concurrency: { limit: 1 },
    },
    ({ step }) => step.run("pay", () => payStalled(core, sender)),
  );
