import type { Logger } from "pino";
import {
  agreementAgreed,
  agreementEnded,
  agreementPaid,
  agreementProposed,
} from "@/server/agreements/events";
import type { Sender } from "@/server/chain/transactions/sender";
import { reviewDispute } from "@/server/disputes/functions/review-dispute";
import { openEngine } from "@/server/engine/engine";
import { evaluatorDeclined } from "@/server/escrows/events";
import type { Judge } from "@/server/judging/judge";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import type { BackgroundFunction } from "@/server/lib/background-function";
import type { Core, Publish } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { defineDueWork, defineSweep } from "@/server/operations/sweep";
import type { CheckedPart } from "@/server/operations/tables";
import { WORK } from "@/server/operations/work";
import { judgeOutcome, judgeUnansweredOutcome } from "@/server/outcomes/functions/judge-outcome";
import { payOut } from "@/server/payouts/functions/pay-out";
import { scoreUpdated } from "@/server/reputation/events";
import { disputeResolved, outcomeResolved } from "@/server/settlement/events";
import { recordVerdicts } from "@/server/settlement/functions/record-verdicts";
import { announce } from "@/server/webhooks/announce";
import { deliverWebhook } from "@/server/webhooks/functions/deliver-webhook";
import { dispatchEvent } from "@/server/webhooks/functions/dispatch-event";

/** What the functions work with. */
export interface Dependencies {
  core: Core;
  judge: Judge;
  decideRequirements: RequirementDecider;
  sender: Sender;
  /** Checks which parts are down. */
  findDown: () => Promise<CheckedPart[]>;
}

/** Every function that the engine runs. */
export const FUNCTIONS: BackgroundFunction<Dependencies>[] = [
  defineSweep(WORK),
  defineDueWork(WORK),
  judgeOutcome,
  judgeUnansweredOutcome,
  reviewDispute,
  recordVerdicts,
  payOut,
  dispatchEvent,
  deliverWebhook,
];

/** Publishes events from a process that runs no functions; the service runs them. */
interface Publisher {
  publish: Publish;
  close(): Promise<void>;
}

/** Opens a publisher on the service's database. */
export function openPublisher(options: { env: Env; databaseUrl: string; log: Logger }): Publisher {
  const engine = openEngine({ ...options, functions: FUNCTIONS });
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
