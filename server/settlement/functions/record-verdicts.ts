import { agentTakenOver } from "@/server/agents/events";
import type { Sender } from "@/server/chain/sender";
import { disputeJudged } from "@/server/disputes/events";
import type { FunctionCore } from "@/server/lib/inngest";
import { outcomeJudged, outcomeRefunded } from "@/server/outcomes/events";
import { anchorChanged } from "@/server/reputation/events";
import { carryThrough } from "@/server/settlement/carry-through";
import { signWaiting } from "@/server/settlement/sign-waiting";

/**
 * Records what waits, whichever event woke it: a run takes everything that is there, so under load
 * verdicts share transactions and the runs of those that were taken find nothing left to do.
 */
export const recordVerdicts = (core: FunctionCore, sender: Sender) =>
  core.inngest.createFunction(
    {
      id: "record-verdicts",
      triggers: [outcomeJudged, outcomeRefunded, disputeJudged, agentTakenOver, anchorChanged],
      retries: 10,
      // While some wait for confirmations others sign; more would only make smaller batches.
      concurrency: { limit: 4 },
    },
    async ({ step }) => {
      // The second round is for what waits for another record: a takeover until what the squatter
      // submitted is settled, a revocation for its anchor.
      for (const round of [1, 2]) {
        const signed = await step.run(`sign-${round}`, () => signWaiting(core, sender, new Date()));
        if (signed.length === 0) return;
        for (const transactionId of signed) {
          await step.run(`carry-through-${transactionId}`, () =>
            carryThrough(core, sender, transactionId),
          );
        }
      }
    },
  );
