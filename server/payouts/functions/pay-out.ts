import { mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import { payoutDue } from "@/server/disputes/events";
import { defineFunction } from "@/server/lib/background-function";
import type { FunctionCore } from "@/server/lib/inngest";
import { advancePayout } from "@/server/payouts/pay-out";

/**
 * Makes a payout that can be paid at once. `pay-stalled-payouts` retries payouts that wait for
 * finality, for USDC on the stake account or for the node.
 */
export const payOut = (core: FunctionCore, sender: Sender) =>
  defineFunction(
    { id: "pay-out", triggers: [payoutDue], retries: 3, concurrency: { limit: 4 } },
    ({ event, step }) =>
      step.run("pay-out", async () => {
        const { payoutId } = event.data;
        const state = await advancePayout(core, sender, payoutId);
        if (state !== "waiting" || sender.chain.rpcUrl === null) return state;
        await mineLocalBlocks(sender.chain);
        return advancePayout(core, sender, payoutId);
      }),
  );
