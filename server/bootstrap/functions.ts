import type { Logger } from "pino";
import {
  agreementAgreed,
  agreementEnded,
  agreementPaid,
  agreementProposed,
} from "@/server/agreements/events";
import { watchAgreements } from "@/server/agreements/functions/watch-agreements";
import { sendAlerts } from "@/server/alerts/functions/send-alerts";
import type { Sender } from "@/server/chain/transactions/sender";
import { resumeStalledDisputes } from "@/server/disputes/functions/resume-stalled-disputes";
import { reviewDispute } from "@/server/disputes/functions/review-dispute";
import { openEngine } from "@/server/engine/open-engine";
import { evaluatorDeclined } from "@/server/escrows/events";
import { giveFeedback } from "@/server/feedback/functions/give-feedback";
import { watchIdentities } from "@/server/identities/functions/watch-identities";
import type { Judge } from "@/server/judging/judge";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import type { Publish } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import type { FunctionCore } from "@/server/lib/inngest";
import { keepStatusEveryMinute } from "@/server/operations/functions/keep-status";
import type { CheckedPart } from "@/server/operations/tables";
import { judgeOutcome } from "@/server/outcomes/functions/judge-outcome";
import { judgeUnansweredOutcome } from "@/server/outcomes/functions/judge-unanswered-outcome";
import { probeFailingJudge } from "@/server/outcomes/functions/probe-failing-judge";
import { resumeAfterOutage } from "@/server/outcomes/functions/resume-after-outage";
import { resumeStalledOutcomes } from "@/server/outcomes/functions/resume-stalled-outcomes";
import { searchForDeliveryPayments } from "@/server/outcomes/functions/search-delivery-payments";
import { payOut } from "@/server/payouts/functions/pay-out";
import { payStalledPayouts } from "@/server/payouts/functions/pay-stalled-payouts";
import { watchStakes } from "@/server/payouts/functions/watch-stakes";
import { scoreUpdated } from "@/server/reputation/events";
import { refreshScores } from "@/server/reputation/functions/refresh-scores";
import { disputeResolved, outcomeResolved } from "@/server/settlement/events";
import { evaluateEscrows } from "@/server/settlement/functions/evaluate-escrows";
import { recordVerdicts } from "@/server/settlement/functions/record-verdicts";
import { settleStalledRecords } from "@/server/settlement/functions/settle-stalled-records";
import { announce } from "@/server/webhooks/announce";
import { deliverWebhook } from "@/server/webhooks/functions/deliver-webhook";
import { dispatchEvent } from "@/server/webhooks/functions/dispatch-event";
import { resumeStalledDeliveries } from "@/server/webhooks/functions/resume-stalled-deliveries";

interface FunctionDependencies {
  judge: Judge;
  decideRequirements: RequirementDecider;
  sender: Sender;
  /** Checks which parts are down. */
  findDown: () => Promise<CheckedPart[]>;
}

/** Creates every function that the engine runs. */
export const createFunctions = (
  core: FunctionCore,
  { judge, decideRequirements, sender, findDown }: FunctionDependencies,
) => [
  watchAgreements(core),
  judgeOutcome(core, judge, decideRequirements),
  judgeUnansweredOutcome(core, judge, decideRequirements),
  probeFailingJudge(judge),
  resumeAfterOutage(core),
  resumeStalledOutcomes(core),
  reviewDispute(core, judge, decideRequirements),
  resumeStalledDisputes(core),
  recordVerdicts(core, sender),
  settleStalledRecords(core, sender),
  evaluateEscrows(core, sender),
  payOut(core, sender),
  payStalledPayouts(core, sender),
  watchStakes(core, sender),
  refreshScores(core),
  watchIdentities(core),
  giveFeedback(core, sender),
  dispatchEvent(core),
  deliverWebhook(core),
  resumeStalledDeliveries(core),
  keepStatusEveryMinute(core, findDown),
  sendAlerts(core),
  searchForDeliveryPayments(core),
];

type FunctionParts = Parameters<typeof createFunctions>[1];

/** Publishes events from a process that runs no functions; the service runs them. */
interface Publisher {
  publish: Publish;
  close(): Promise<void>;
}

/**
 * Opens a publisher on the service's database.
 */
export function openPublisher(options: { env: Env; databaseUrl: string; log: Logger }): Publisher {
  const engine = openEngine(options);
  // Only the ids and triggers of the functions are used here, never their dependencies.
  const core = options as unknown as FunctionCore;
  engine.register(createFunctions(core, { judge: { id: "" } } as FunctionParts));
  return { publish: createPublish(engine.publish), close: () => engine.stop() };
}

/** Events that start no function: webhooks are their only consumers. */
export const ANNOUNCED_ONLY: ReadonlySet<string> = new Set(
  [
    agreementProposed,
    agreementAgreed,
    agreementPaid,
    agreementEnded,
    outcomeResolved,
    disputeResolved,
    scoreUpdated,
    evaluatorDeclined,
  ].map(({ name }) => name),
);

/**
 * Creates the publisher of domain events: stores their deliveries to webhooks in the caller's
 * transaction, and passes to the engine, in one call, the events that start functions and those of
 * the deliveries.
 */
export function createPublish(publishToEngine: Publish): Publish {
  return async (tx, events) => {
    const due = await announce(tx, events);
    const starting = [...events.filter(({ name }) => !ANNOUNCED_ONLY.has(name)), ...due];
    if (starting.length > 0) await publishToEngine(tx, starting);
  };
}
