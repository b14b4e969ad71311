import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { chainTransactions } from "@/server/chain/tables";
import { mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import { payouts } from "@/server/disputes/tables";
import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { advancePayout } from "@/server/payouts/pay-out";

/** Longer than an immediate payout takes; the next run checks the others. */
const TIMEOUT_MS = 2_000;
const BATCH = 100;
/** The next run starts after a minute. */
const TIME_BUDGET_MS = 45_000;

/** Matches payouts, joined with their transaction, that are not done. */
export const wherePayoutUnfinished = or(
  inArray(payouts.status, ["waiting", "signed"]),
  and(eq(payouts.status, "paid"), ne(chainTransactions.status, "final")),
);

/**
 * Processes unfinished payouts of any age: finality takes minutes on most chains, and a concurrent
 * run of the same payout is harmless. A payout is done once its payment is in a finalized
 * block, since a reorg can undo a confirmed one. Returns the number newly paid or voided.
 */
export async function payStalled(core: Core, sender: Sender): Promise<number> {
  const end = Date.now() + TIME_BUDGET_MS;
  const unfinished = await core.db
    .select({ id: payouts.id, status: payouts.status })
    .from(payouts)
    .leftJoin(chainTransactions, eq(chainTransactions.id, payouts.transactionId))
    .where(wherePayoutUnfinished)
    // Random order, so that payouts that can never be paid do not starve the others.
    .orderBy(sql`random()`)
    .limit(BATCH);
  if (unfinished.length > 0) await mineLocalBlocks(sender.chain);
  let done = 0;
  for (const { id, status } of unfinished) {
    if (Date.now() > end) break;
    try {
      const state = await advancePayout(core, sender, id, TIMEOUT_MS);
      if (state !== status && (state === "paid" || state === "void")) done += 1;
    } catch (error) {
      // One failing payout must not block the others.
      core.log.error({ err: error, payoutId: id }, "advancing a payout failed");
    }
  }
  return done;
}

export const payStalledPayouts = (core: FunctionCore, sender: Sender) =>
  defineFunction(
    {
      id: "pay-stalled-payouts",
      triggers: [{ cron: "* * * * *" }],
      retries: 0,
      concurrency: { limit: 1 },
    },
    ({ step }) => step.run("pay", () => payStalled(core, sender)),
  );
