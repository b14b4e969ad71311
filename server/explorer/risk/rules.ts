import { LIMIT_RULES } from "@/server/lib/describe-limit";
import { POLICY } from "@/server/reputation/policy";

/** From which values on something is a risk. */
export const RISK_RULES = {
  /** Points lost since the highest score of the last `collapseDays`, from a tier to lose. */
  collapsePoints: 10,
  collapseDays: 30,
  collapseFrom: POLICY.trustedFrom,
  /** Days for which a failure raises flags. */
  failureDays: LIMIT_RULES.failedDays,
  /** Share of the weight of its paid or anchored outcomes that must be good, from `ratedOutcomes` on. */
  successShare: 0.5,
  ratedOutcomes: 4,
  /** What was paid for failures, in USDC and as a share of A, from which on a flag about them is a danger. */
  dangerUsdc: 20,
  dangerShareOfEarned: 0.1,
  /** What unanchored clients must have paid before their reports raise a flag. */
  reportedUsdc: 20,
  /** Newest paid or anchored outcomes that are all failures. */
  failuresInARow: 3,
  /** Share of the paid or anchored outcomes of one client, from `singleClientOutcomes` on. */
  singleClientShare: 0.8,
  singleClientOutcomes: 5,
  /** Clients with a payment or an anchor. */
  confirmedClients: 3,
  /** Share of the agent's income that it pays back to the same clients: caution, danger. */
  paidBackCaution: 0.5,
  paidBackDanger: 0.8,
  /** Share of the USDC of the agent, its clients and its payees that stays among them. */
  closedGroupShare: 0.8,
  /** Most members of such a group; a larger one is a market. */
  closedGroupMembers: 20,
  /** Paid jobs from which on payments can show a ring. */
  ringJobs: 3,
  /** Share of the agreed jobs that must be delivered, from `agreedJobs` on: caution, danger. */
  agreedJobs: 3,
  deliveredCaution: 0.8,
  deliveredDanger: 0.5,
  /** Days without a recorded outcome. */
  dormantDays: 60,
} as const;
