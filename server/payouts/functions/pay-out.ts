import { mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import { payoutDue } from "@/server/disputes/events";
import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import { advancePayout } from "@/server/payouts/pay-out";

/**
 * Advances a payout. One that waits for finality, for USDC on the stake account or for the node is
 * requeued every minute.
 */
export const payOut = defineFunction(
  { id: "pay-out", triggers: [payoutDue], retries: 3, concurrency: { limit: 4 } },
  async ({ event }, { core, sender }: { core: Core; sender: Sender }) => {
    const { payoutId } = event.data;
    const state = await advancePayout(core, sender, payoutId);
    if (sender.chain.rpcUrl === null) return state;
    // A local chain makes blocks for transactions only, and finality takes some.
    await mineLocalBlocks(sender.chain);
    return state === "waiting" ? advancePayout(core, sender, payoutId) : state;
  },
);
