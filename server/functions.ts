import type { Sender } from "./chain/sender";
import { resumeStalledDisputes } from "./disputes/functions/resume-stalled-disputes";
import { reviewDispute } from "./disputes/functions/review-dispute";
import type { Judge } from "./judging/judge";
import type { FunctionCore } from "./lib/inngest";
import { retryFailedDispatches } from "./operations/functions/retry-failed-dispatches";
import { judgeOutcome } from "./outcomes/functions/judge-outcome";
import { probeJudge } from "./outcomes/functions/probe-failing-judge";
import { resumeAfterOutage } from "./outcomes/functions/resume-after-outage";
import { resumeStalledOutcomes } from "./outcomes/functions/resume-stalled-outcomes";
import { refreshScores } from "./reputation/functions/refresh-scores";
import { payOut } from "./settlement/functions/pay-out";
import { payStalledPayouts } from "./settlement/functions/pay-stalled-payouts";
import { recordVerdicts } from "./settlement/functions/record-verdicts";
import { settleStalledRecords } from "./settlement/functions/settle-stalled-records";
import { watchStakes } from "./settlement/functions/watch-stakes";
import { deliverWebhook } from "./webhooks/functions/deliver-webhook";
import { dispatchEvent } from "./webhooks/functions/dispatch-event";
import { resumeStalledDeliveries } from "./webhooks/functions/resume-stalled-deliveries";

interface Parts {
  judge: Judge;
  sender: Sender;
}

/** Creates every function that the engine runs. */
export const createFunctions = (core: FunctionCore, { judge, sender }: Parts) => [
  judgeOutcome(core, judge),
  probeJudge(core, judge.id),
  resumeAfterOutage(core),
  resumeStalledOutcomes(core),
  reviewDispute(core, judge),
  resumeStalledDisputes(core),
  recordVerdicts(core, sender),
  settleStalledRecords(core, sender),
  payOut(core, sender),
  payStalledPayouts(core, sender),
  watchStakes(core, sender),
  refreshScores(core),
  dispatchEvent(core),
  retryFailedDispatches(core),
  deliverWebhook(core),
  resumeStalledDeliveries(core),
];
