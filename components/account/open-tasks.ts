import { describeStep, getNextStep, getRole } from "@/components/agreements/next-step";
import { getGrounds, getLoser } from "@/components/disputes/dispute-option";
import type { Agreement } from "@/server/agreements/schema";
import type { Dispute, DisputeTerms } from "@/server/disputes/schema";
import { fromMicro } from "@/server/lib/usdc";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { type Job, type JobNames, toJob } from "./job-row";

/** Returns whether the dispute awaits this wallet's answer. */
export function awaitsAnswerFrom(
  { phase, stakes }: Pick<Dispute, "phase" | "stakes">,
  wallet: string,
): boolean {
  const own = stakes.find(({ walletAddress }) => walletAddress === wallet);
  return phase === "awaiting-answer" && own?.state === "none";
}

/** Returns whether it awaits this wallet's answer, and that can matter: without a model, no words can decide it. */
export const isAnswerDue = (
  dispute: Pick<Dispute, "phase" | "stakes">,
  wallet: string,
  { disputeReview }: Pick<DisputeTerms, "disputeReview">,
): boolean => disputeReview === "model" && awaitsAnswerFrom(dispute, wallet);

/** What an owner can do about an outcome, and until when. */
interface OutcomeActions {
  /** False if a dispute would only repeat the verdict, though the API takes it. */
  canDispute: boolean;
  canRefund: boolean;
  /** End of the dispute window, ISO 8601; null while the outcome is pending. */
  until: string | null;
}

/** Returns what the owner of `wallet` can do about an outcome at the time `now` (milliseconds). */
export function getOutcomeActions(
  outcome: PublicOutcome,
  { wallet, terms, now }: { wallet: string; terms: DisputeTerms; now: number },
): OutcomeActions {
  if (outcome.resolvedAt === undefined) return { canDispute: false, canRefund: false, until: null };
  const until = Date.parse(outcome.resolvedAt) + terms.disputeWindowMs;
  const isOpen = now < until && !outcome.refund && !outcome.superseded;
  const isContractor = outcome.contractorAgentAddress === wallet;
  return {
    canDispute:
      isOpen &&
      terms.acceptsDisputes &&
      outcome.disputeId === undefined &&
      getGrounds(outcome, terms) !== null &&
      getLoser(outcome) === (isContractor ? "contractor" : "requester"),
    canRefund: isOpen && isContractor && outcome.paidUsdc > 0 && isFailure(outcome),
    until: new Date(until).toISOString(),
  };
}

const isFailure = ({ finalVerdict, verdict }: PublicOutcome) =>
  (finalVerdict ?? verdict) === "FAILURE";

/** Something with a deadline that only the owner can do. */
export interface Task {
  what: string;
  /** Page to do it on. */
  path: string;
  until: string;
  /** What it is about. */
  job: Job;
  valueUsdc?: number;
  /** Whether leaving it costs nothing. */
  isOptional?: boolean;
}

interface Facts {
  wallet: string;
  disputes: Dispute[];
  agreements: Agreement[];
  outcomes: PublicOutcome[];
  jobNames: JobNames;
  terms: DisputeTerms;
  /** Milliseconds. */
  now: number;
}

/**
 * Returns the owner's tasks, duties before choices and the next deadline first: disputes to answer, agreements to
 * sign, deliver or pay, and failures of its own work to dispute or refund.
 */
export function listTasks(facts: Facts): Task[] {
  const { wallet, jobNames } = facts;
  const answers = facts.disputes
    .filter((dispute) => awaitsAnswerFrom(dispute, wallet))
    .map((dispute) => ({
      what: "Answer the dispute",
      isOptional: !isAnswerDue(dispute, wallet, facts.terms),
      path: `/dashboard/disputes?dispute=${dispute.disputeId}#form`,
      until: dispute.expiresAt,
      job: toJob(dispute, jobNames),
    }));
  const steps = facts.agreements.flatMap((agreement) => {
    const { agreementId, outcomeId, terms } = agreement;
    const outcome = facts.outcomes.find((one) => one.outcomeId === outcomeId) ?? null;
    const { step, party, until } = getNextStep(agreement, outcome, facts.now);
    if (party !== getRole(terms, wallet) || !until) return [];
    const valueUsdc = fromMicro(Number(terms.valueMicro));
    const [what, path] = [describeStep(agreement, step), `/agreements/${agreementId}`];
    return [{ what, path, until, valueUsdc, job: { ...terms, taskCategory: terms.category } }];
  });
  const failures = facts.outcomes.flatMap((outcome) => {
    const { until, canDispute, canRefund } = getOutcomeActions(outcome, facts);
    const isOwnFailure = outcome.contractorAgentAddress === wallet && isFailure(outcome);
    if (!until || !isOwnFailure || !(canDispute || canRefund)) return [];
    const ways = [canDispute ? "dispute" : [], canRefund ? "refund" : []].flat().join(" or ");
    const path = `/dashboard/outcomes?outcome=${outcome.outcomeId}#form`;
    const [what, job] = [`Failure: ${ways}`, toJob(outcome, jobNames)];
    return [{ what, path, until, job, valueUsdc: outcome.valueUsdc, isOptional: true }];
  });
  return [...answers, ...steps, ...failures].sort(
    (a: Task, b: Task) =>
      Number(a.isOptional ?? false) - Number(b.isOptional ?? false) ||
      Date.parse(a.until) - Date.parse(b.until),
  );
}
