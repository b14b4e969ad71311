import type { Facts } from "./facts";
import type { Invariant, Violation } from "./invariant";
import { disputeInvariants } from "./invariants/disputes";
import { moneyInvariants, refundInvariants } from "./invariants/money";
import { outcomeInvariants } from "./invariants/outcomes";
import { registrationInvariants } from "./invariants/registrations";
import { ledgerInvariants, scoreInvariants } from "./invariants/scores";
import { webhookInvariants } from "./invariants/webhooks";

/** All invariants. They are pure: they read only the facts, never the service. */
export const INVARIANTS: Invariant[] = [
  ...outcomeInvariants,
  ...disputeInvariants,
  ...moneyInvariants,
  ...refundInvariants,
  ...scoreInvariants,
  ...registrationInvariants,
  ...ledgerInvariants,
  ...webhookInvariants,
];

export interface Checked {
  invariant: Invariant;
  checked: number;
  violations: Violation[];
}

export const checkAll = (facts: Facts): Checked[] =>
  INVARIANTS.map((invariant) => ({ invariant, ...invariant.check(facts) }));
