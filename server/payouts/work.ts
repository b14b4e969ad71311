import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { payoutDue } from "@/server/disputes/events";
import { payouts } from "@/server/disputes/tables";
import type { Core } from "@/server/lib/context";
import { HOUR_MS } from "@/server/lib/time";
import { selectWaiting, type Work } from "@/server/lib/work";
import { recheckPendingStakes, whereStakeNotFinal } from "./watch-stakes";

/** On Base, a stake becomes final about twenty minutes after its payment. */
export const openStakes: Work<{ core: Core }> = {
  name: "stakes",
  waiting: {
    description: "stakes that are not final",
    stalledAfterMs: HOUR_MS,
    select: () =>
      selectWaiting(usedTransfers, { since: usedTransfers.usedAt, where: whereStakeNotFinal }),
  },
  sweep: ({ core }) => recheckPendingStakes(core),
};

/**
 * Payouts that wait for finality, for USDC on the stake account or for the node, and those whose payment
 * is not final: a reorg can undo it. Another run of the same payout is harmless.
 */
export const openPayouts: Work = {
  name: "payouts",
  waiting: {
    description: "unfinished payouts",
    stalledAfterMs: HOUR_MS,
    select: () =>
      selectWaiting(payouts, {
        since: payouts.createdAt,
        where: or(
          inArray(payouts.status, ["waiting", "signed"]),
          and(
            eq(payouts.status, "paid"),
            sql`exists (select from ${chainTransactions} where ${and(
              eq(chainTransactions.id, payouts.transactionId),
              ne(chainTransactions.status, "final"),
            )})`,
          ),
        ),
        data: sql`jsonb_build_object('payoutId', ${payouts.id})`,
      }),
  },
  requeue: { event: payoutDue.name, afterMs: 0 },
};
