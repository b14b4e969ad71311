import { agentTakenOver } from "@/server/agents/events";
import type { Sender } from "@/server/chain/transactions/sender";
import { disputeJudged } from "@/server/disputes/events";
import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import { outcomeRefunded, verdictsPending } from "@/server/outcomes/events";
import { anchorChanged } from "@/server/reputation/events";
import { confirmAndSettle, settleOnceConfirmed } from "@/server/settlement/settle-transaction";
import { signPending } from "@/server/settlement/sign-pending";

/**
 * Records all pending records, whichever event triggered it. Verdicts wake it with one event for all
 * that are stored until it signs (`wakeRecorder`), so those stored while it is on its way share
 * transactions. A run
 * settles what it signed, while the next one already signs what was stored since.
 */
export const recordVerdicts = defineFunction(
  {
    id: "record-verdicts",
    triggers: [verdictsPending, outcomeRefunded, disputeJudged, agentTakenOver, anchorChanged],
    retries: 10,
    // Some runs wait for confirmations while others sign; more runs would only make smaller
    // batches.
    concurrency: { limit: 4 },
  },
  async ({ step }, { core, sender }: { core: Core; sender: Sender }) => {
    /** Transactions sent by this call of the function; another call sends them again. */
    const sent = new Set<string>();
    // Step ids are stored with the run, so they never change.
    const signed = await step.run("sign-1", async () => {
      const transactionIds = await signPending(core, sender, new Date());
      // Sent at once, so that several can share a block.
      for (const id of transactionIds) {
        const isSent = await sender.broadcast(id).then(
          () => true,
          // Left to the next step.
          () => false,
        );
        if (!isSent) break;
        sent.add(id);
      }
      return transactionIds;
    });
    for (const id of signed) {
      const settle = sent.delete(id) ? settleOnceConfirmed : confirmAndSettle;
      await step.run(`carry-through-${id}`, () => settle(core, sender, id));
    }
  },
);
