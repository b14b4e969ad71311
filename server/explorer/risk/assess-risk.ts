import { DAY_MS } from "@/server/lib/time";
import { toMicro } from "@/server/lib/usdc";
import { EVIDENCE_FROM, POLICY } from "@/server/reputation/policy";
import type { RiskOutcome } from "./risk-outcome";
import { RISK_RULES } from "./rules";
import type { EvidenceLevel, RiskAssessment, RiskFlag } from "./schema";

/** Returns the amount of evidence behind a score by its confidence; null without outcomes. */
export function toEvidenceLevel(confidence: number | null): EvidenceLevel {
  if (confidence === null) return "none";
  if (confidence >= EVIDENCE_FROM.strong) return "strong";
  return confidence >= EVIDENCE_FROM.moderate ? "moderate" : "limited";
}

/** Most outcome ids and wallets that a flag names. */
const MAX_NAMED = 20;

/** All payments from one wallet to another. */
export interface Payments {
  payer: string;
  payee: string;
  jobs: number;
  usdc: number;
}

/** Sums over the paid or anchored successes of the last `failureDays`. */
export interface SuccessSums {
  /** Those that weigh anything, and their weight in the score before decay, in units. */
  rated: number;
  good: number;
  /** Those under an agreement. */
  agreed: number;
  newestAt: Date | null;
}

/** What the assessment of one wallet is based on. */
export interface RiskFacts {
  wallet: string;
  /** Published score, and the highest one of the last `collapseDays`. */
  score: number;
  peak: { score: number; at: Date } | null;
  confirmedClients: number;
  isWalletVerified: boolean;
  /** When its newest recorded outcome was submitted. */
  lastActive: Date | null;
  /** The clients of the newest paid or anchored outcomes, and the number for each, the highest first. */
  clients: [wallet: string, jobs: number][];
  /** Its paid or anchored failures of the last `failureDays`, newest first, and the successes. */
  failures: RiskOutcome[];
  successes: SuccessSums;
  /** A of `computeLimit`. */
  earnedMicro: bigint;
  /** Payments for recorded outcomes among the agent, its clients, its payees and others. */
  payments: Payments[];
}

/**
 * Assesses what a client of a wallet should know: flags with their evidence, the most serious
 * first.
 */
export function assessRisk(recorded: RiskFacts, now: Date): RiskAssessment {
  const facts = { ...recorded, failures: listEffective(recorded.failures) };
  const flags = [
    findCollapse(facts),
    findFrequentFailure(facts),
    findFailuresInARow(facts),
    findUndelivered(facts),
    findRing(facts),
    findOverturned(facts),
    findFewClients(facts),
    findUnverified(facts),
    findReported(facts),
    findDormancy(facts, now),
  ]
    .filter((flag) => flag !== null)
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const [worst] = flags;
  const level = !worst || worst.severity === "notice" ? "none" : worst.severity;
  return { level, flags };
}

const SEVERITIES: readonly RiskFlag["severity"][] = ["danger", "caution", "notice"];

type Named = Partial<Pick<RiskFlag, "outcomeIds" | "wallets">>;

function createFlag(
  flag: Omit<RiskFlag, keyof Named>,
  { outcomeIds = [], wallets = [] }: Named = {},
): RiskFlag {
  return {
    ...flag,
    outcomeIds: outcomeIds.slice(0, MAX_NAMED),
    wallets: wallets.slice(0, MAX_NAMED),
  };
}

/**
 * Returns the failures that raise flags: any stranger can send an agent a small payment and report a
 * failure, so reports do from a sum on, of those that are neither refunded nor void.
 */
function listEffective(failures: RiskOutcome[]): RiskOutcome[] {
  const [reported, proven] = splitByReport(failures);
  const open = reported.filter(({ isConfirmed, isInGrace }) => isConfirmed || isInGrace);
  return sum(open, "paidMicro") >= toMicro(RISK_RULES.reportedUsdc) ? failures : proven;
}

/** Returns whether so much was paid for failures that they are a danger. */
function areCostly(failures: RiskOutcome[], { earnedMicro }: RiskFacts): boolean {
  const paidMicro = sum(failures, "paidMicro");
  return (
    paidMicro >= toMicro(RISK_RULES.dangerUsdc) &&
    paidMicro >= RISK_RULES.dangerShareOfEarned * Number(earnedMicro)
  );
}

const isCounted = ({ isConfirmed }: RiskOutcome) => isConfirmed;

const listNamed = (outcomes: RiskOutcome[]) => ({
  outcomeIds: outcomes.map(({ outcomeId }) => outcomeId),
  wallets: listClients(outcomes),
});

function findCollapse(facts: RiskFacts): RiskFlag | null {
  const { score, peak } = facts;
  if (!peak || peak.score < RISK_RULES.collapseFrom) return null;
  if (peak.score - score < RISK_RULES.collapsePoints) return null;
  const lost = (Number(peak.score.toFixed(2)) - Number(score.toFixed(2))).toFixed(2);
  const since = peak.at.toLocaleDateString("en", {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const failures = facts.failures.filter((own) => isCounted(own) && own.resolvedAt >= peak.at);
  const [reported, proven] = splitByReport(failures);
  const isByReports = sum(reported, "bad") > sum(proven, "bad");
  return createFlag(
    {
      risk: "recent-collapse",
      severity: areCostly(failures, facts) && !isByReports ? "danger" : "caution",
      title: `Lost ${lost} points since ${since}`,
      detail: `The score fell from ${peak.score.toFixed(2)} on ${since} to ${score.toFixed(2)}.`,
    },
    { outcomeIds: failures.map(({ outcomeId }) => outcomeId) },
  );
}

/** Finds that most of the agent's paid or anchored work failed, weighted as in the score. */
function findFrequentFailure(facts: RiskFacts): RiskFlag | null {
  const { rated, good } = facts.successes;
  const failures = facts.failures.filter((own) => isCounted(own) && own.bad > 0);
  const jobs = rated + failures.length;
  const share = good / (good + sum(failures, "bad"));
  if (failures.length === 0 || jobs < RISK_RULES.ratedOutcomes) return null;
  if (share >= RISK_RULES.successShare) return null;
  const [reported] = splitByReport(failures);
  return createFlag(
    {
      risk: "fails-often",
      severity: areCostly(failures, facts) ? "danger" : "caution",
      title: `Only ${Math.round(share * 100)}% of its work succeeded`,
      detail: `Weighted by value and certainty, over ${count(jobs, "job")} of ${RISK_RULES.failureDays} days that were paid or for known clients. ${describeReports(reported.length)}`,
    },
    listNamed(failures),
  );
}

const describeReports = (reports: number) =>
  reports === 0
    ? "None of the failures rests on a client's word alone."
    : `${count(reports, "failure")} ${reports === 1 ? "rests" : "rest"} on the word of clients that aren't known clients.`;

/** Finds failures that clients reported and that do not count yet. */
function findReported({ failures }: RiskFacts): RiskFlag | null {
  const reported = failures.filter(({ isInGrace }) => isInGrace);
  if (reported.length === 0) return null;
  return createFlag(
    {
      risk: "reported-failures",
      severity: "notice",
      title: `${count(reported.length, "failure")} reported, not yet counted`,
      detail: `A failure on the word of a client that isn't a known client counts after ${POLICY.graceDays} days, unless the agent returns the payment or wins a dispute.`,
    },
    listNamed(reported),
  );
}

function findFailuresInARow(facts: RiskFacts): RiskFlag | null {
  const { newestAt } = facts.successes;
  const failures = facts.failures.filter(
    (own) => isCounted(own) && (!newestAt || own.resolvedAt > newestAt),
  );
  if (failures.length < RISK_RULES.failuresInARow) return null;
  const [reported, proven] = splitByReport(failures);
  const isByReports = proven.length < RISK_RULES.failuresInARow;
  return createFlag(
    {
      risk: "failures-in-a-row",
      severity: areCostly(failures, facts) && !isByReports ? "danger" : "caution",
      title: `${failures.length} failures in a row`,
      detail: isByReports
        ? `${reported.length} of them are reports by clients that aren't known clients, which the agent can still refund or dispute.`
        : `The newest ${failures.length} jobs that were paid or for known clients all failed.`,
    },
    listNamed(failures),
  );
}

/** Finds that the agent signed terms and then delivered nothing. No stranger can cause that. */
function findUndelivered(facts: RiskFacts): RiskFlag | null {
  const failed = facts.failures.filter((own) => isCounted(own) && own.isAgreed);
  const undelivered = failed.filter(({ isDelivered }) => !isDelivered);
  const agreed = facts.successes.agreed + failed.length;
  const delivered = agreed - undelivered.length;
  if (agreed < RISK_RULES.agreedJobs) return null;
  if (delivered >= RISK_RULES.deliveredCaution * agreed) return null;
  const isDanger = delivered < RISK_RULES.deliveredDanger * agreed && areCostly(undelivered, facts);
  return createFlag(
    {
      risk: "agreements-not-delivered",
      severity: isDanger ? "danger" : "caution",
      title: `Took ${count(agreed, "agreed job")}, delivered ${delivered}`,
      detail: "Both had signed the terms, and nothing was delivered by the deadline.",
    },
    listNamed(undelivered),
  );
}

/**
 * Finds that the agent trades within a small closed group in which the money comes back to it, or
 * that it pays its clients back.
 */
function findRing({ wallet, payments }: RiskFacts): RiskFlag | null {
  const income = payments.filter(({ payee, payer }) => payee === wallet && payer !== wallet);
  if (sum(income, "jobs") < RISK_RULES.ringJobs) return null;
  const group = findClosedGroup(wallet, payments);
  if (group) {
    return createFlag(
      {
        risk: "ring-payments",
        severity: "danger",
        title: `Trades within a closed group of ${group.length} wallets`,
        detail:
          "The agent, its clients and those it pays trade almost only with each other, and the money returns to it.",
      },
      { wallets: group.filter((member) => member !== wallet) },
    );
  }
  const paidTo = (payer: string, payee: string) =>
    payments.find((own) => own.payer === payer && own.payee === payee)?.usdc ?? 0;
  const returned = income.reduce(
    (usdc, { payer, usdc: received }) => usdc + Math.min(received, paidTo(wallet, payer)),
    0,
  );
  const share = returned / sum(income, "usdc");
  if (share < RISK_RULES.paidBackCaution) return null;
  const clients = income.map(({ payer }) => payer).filter((payer) => paidTo(wallet, payer) > 0);
  return createFlag(
    {
      risk: "ring-payments",
      severity: share >= RISK_RULES.paidBackDanger ? "danger" : "caution",
      title: `Pays ${Math.round(share * 100)}% of its income back to clients`,
      detail: `${count(clients.length, "client")} received money from the agent that ${clients.length === 1 ? "it" : "they"} paid. Such jobs cost neither side anything.`,
    },
    { wallets: clients },
  );
}

/** Returns the wallets that trade with the agent if they form a closed group; null if not. */
function findClosedGroup(wallet: string, payments: Payments[]): string[] | null {
  const own = payments.filter(({ payer, payee }) => payer === wallet || payee === wallet);
  const members = new Set(own.flatMap(({ payer, payee }) => [payer, payee]));
  if (members.size > RISK_RULES.closedGroupMembers) return null;
  const inside = payments.filter(({ payer, payee }) => members.has(payer) && members.has(payee));
  if (sum(inside, "usdc") < RISK_RULES.closedGroupShare * sum(payments, "usdc")) return null;
  const payees = new Set(own.filter(({ payer }) => payer === wallet).map(({ payee }) => payee));
  const clients = own.filter(({ payee }) => payee === wallet);
  const returned = clients.map(({ payer, usdc }) => {
    const back = inside.filter((paid) => payees.has(paid.payer) && paid.payee === payer);
    return { usdc: Math.min(usdc, sum(back, "usdc")) };
  });
  // Anyone can send each client of an agent a little, so a fair part of the income must return.
  const isMoneyReturned =
    returned.every(({ usdc }) => usdc > 0) &&
    sum(returned, "usdc") >= RISK_RULES.paidBackCaution * sum(clients, "usdc");
  return payees.size > 0 && isMoneyReturned ? [...members] : null;
}

function sum<K extends string>(items: Record<K, number>[], field: K): number {
  return items.reduce((total, item) => total + item[field], 0);
}

/** Splits outcomes into those on the word of an unanchored requester alone, and the others. */
function splitByReport(outcomes: RiskOutcome[]): [reported: RiskOutcome[], proven: RiskOutcome[]] {
  return [
    outcomes.filter(({ isReported }) => isReported),
    outcomes.filter(({ isReported }) => !isReported),
  ];
}

function findOverturned({ failures }: RiskFacts): RiskFlag | null {
  const overturned = failures.filter((own) => isCounted(own) && own.verdict === "SUCCESS");
  if (overturned.length === 0) return null;
  const number = overturned.length;
  return createFlag(
    {
      risk: "overturned-verdicts",
      severity: "caution",
      title: `${count(number, "success", "successes")} overturned by ${number === 1 ? "a dispute" : "disputes"}`,
      detail: "The client disputed a success, and the review decided that the work had failed.",
    },
    listNamed(overturned),
  );
}

/** Finds that nearly all work was for one client, or else that few clients are confirmed. */
function findFewClients({ clients, confirmedClients, lastActive }: RiskFacts): RiskFlag | null {
  const [top] = clients;
  const jobs = clients.reduce((total, [, own]) => total + own, 0);
  const isFewJobs = jobs < RISK_RULES.singleClientOutcomes;
  if (top && !isFewJobs && top[1] >= RISK_RULES.singleClientShare * jobs) {
    return createFlag(
      {
        risk: "single-client",
        severity: "caution",
        title: `${top[1]} of the newest ${jobs} paid jobs were for one client`,
        detail:
          "How the agent works for others is hardly known. Unpaid jobs for known clients are included.",
      },
      { wallets: [top[0]] },
    );
  }
  if (!lastActive || confirmedClients >= RISK_RULES.confirmedClients) return null;
  return createFlag(
    {
      risk: "few-confirmed-clients",
      severity: "caution",
      title:
        confirmedClients === 0
          ? "No paying client"
          : `Only ${count(confirmedClients, "paying client")}`,
      detail:
        "Known clients count as paying ones. A job of anyone else without a USDC payment is only a claim.",
    },
    { wallets: clients.map(([wallet]) => wallet) },
  );
}

function findUnverified({ isWalletVerified }: RiskFacts): RiskFlag | null {
  if (isWalletVerified) return null;
  return createFlag({
    risk: "unverified-wallet",
    severity: "caution",
    title: "Wallet not proven",
    detail: "No one has proven ownership of this wallet, so the name may not be its owner's.",
  });
}

function findDormancy({ lastActive }: RiskFacts, now: Date): RiskFlag | null {
  if (!lastActive || daysBetween(lastActive, now) < RISK_RULES.dormantDays) return null;
  return createFlag({
    risk: "dormant",
    severity: "notice",
    title: `No job for ${daysBetween(lastActive, now)} days`,
    detail: "The score says how it worked then. Ask whether it still works the same way.",
  });
}

const listClients = (outcomes: RiskOutcome[]) => [
  ...new Set(outcomes.map(({ requester }) => requester)),
];

const daysBetween = (from: Date, to: Date) =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / DAY_MS));

const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`;
