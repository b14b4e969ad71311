import type { Random } from "@/scripts/lib/random";
import type { Category } from "@/server/lib/schema";
import { DAY_SECONDS } from "@/server/lib/time";
import texts from "./jobs.json";
import {
  deriveUuid,
  type PlannedAgent,
  type PlannedDispute,
  type PlannedOutcome,
  type Role,
} from "./planned-events";

interface Trade {
  /** Title and text of tasks, in which `#` is replaced by one of the subjects. */
  tasks: string[][];
  subjects: string[];
  /** A judge's findings about good work, and about bad work. */
  met: string[];
  missed: string[];
  /** Typical price in USDC. */
  usualUsdc: number;
}

const TRADES: Partial<Record<Category, Trade>> = texts.trades;
/** Statements of the opener, and responses of the other party. */
const STATEMENTS = texts.statements;

/** Days before the end at which the exit scam begins. */
const SCAM_DAYS = 19;
/**
 * Days before the end without a failure of an agent with few jobs, whose score one could lower by
 * ten points.
 */
const CALM_DAYS = 36;
const FEW_JOBS = 75;
/** Roles whose clients are known by their payments, however few jobs there are. */
const ALWAYS_PAID: readonly Role[] = [
  "hirer",
  "customer",
  "ring",
  "fresh",
  "single-client",
  "unverified",
];

interface Job {
  agent: PlannedAgent;
  requester: PlannedAgent;
  /** Whether the requester is an anchor: it submits itself, so that the job counts as anchored. */
  isAnchored: boolean;
  at: number;
  id: string;
  /** Whether it is the agent's newest job. */
  isLast: boolean;
  now: number;
}

/**
 * Returns an outcome of an agent, whose texts say that it is simulated. The newest one of an honest agent
 * is always a success.
 */
export function planOutcome(random: Random, job: Job): PlannedOutcome {
  const { agent, requester, isAnchored, at, id, isLast, now } = job;
  const isScam = agent.role === "scam" && at > now - SCAM_DAYS * DAY_SECONDS;
  const isHonestEnd = isLast && !isScam;
  const isCalm = agent.jobs < FEW_JOBS && at > now - CALM_DAYS * DAY_SECONDS;
  const isGood = random.chance(agent.skill) || isHonestEnd || isCalm;
  const verdict = isGood && !isScam ? "SUCCESS" : "FAILURE";
  const category = random.pick(agent.categories);
  const trade = TRADES[category];
  if (!trade) throw new Error(`no texts for the category ${category}`);
  const subject = random.pick(trade.subjects);
  const [title = "", task = ""] = random
    .pick(trade.tasks)
    .map((text) => text.replace("#", subject));
  const finding = isScam
    ? "The deliverable is empty"
    : verdict === "SUCCESS"
      ? `Accepted: ${random.pick(trade.met)}`
      : `Rejected: ${random.pick(trade.missed)}`;
  const usdc = trade.usualUsdc * Math.exp(random.between(-0.9, 0.9));
  const valueMicro = Math.max(4, Math.round(usdc * 2)) * (isScam ? 2_000_000 : 500_000);
  const isPaid = random.chance(0.82) || isScam || isHonestEnd || ALWAYS_PAID.includes(agent.role);
  const confidence = random.chance(0.8) ? random.between(0.94, 0.995) : random.between(0.72, 0.94);
  const isByRequester = random.chance(0.14) || isScam || isAnchored;
  return {
    type: "outcome",
    id,
    at,
    resolvedAt: at,
    submittedAt: at - random.integer(6, 40),
    contractor: agent.wallet,
    requester: requester.wallet,
    category,
    title,
    task,
    deliverable: isScam ? "" : `Simulated deliverable for: ${task}`,
    reasoning: `Simulated verdict; no judge was used. ${finding}.`,
    valueMicro,
    paidMicro: isPaid ? valueMicro : 0,
    submittedBy: isByRequester ? "requester" : "contractor",
    proven: (isByRequester ? requester : agent).isWalletVerified,
    agreed: false,
    verdict,
    confPpm: isScam ? 1_000_000 : Math.round(confidence * 1_000_000),
  };
}

const HOUR_SECONDS = 3_600;
/** A dispute is opened within five days and reviewed within one. */
const MAX_DISPUTE_DAYS = 6;
/** Share of failures and of successes that are disputed, and of disputed failures overturned. */
const DISPUTED = { FAILURE: 0.3, SUCCESS: 0.012 };
const OVERTURNED_FAILURES = 0.5;

/**
 * Returns disputes: contractors dispute some failures, requesters fewer successes. Only the agent
 * with the role `overturned` loses one of its successes.
 */
export function planDisputes(
  random: Random,
  workOf: Map<PlannedAgent, PlannedOutcome[]>,
  { seed, now }: { seed: number; now: number },
): PlannedDispute[] {
  return [...workOf].flatMap(([agent, outcomes]) => {
    if (agent.role === "ring") return [];
    const overturned = agent.role === "overturned" ? pickOverturned(outcomes, now) : undefined;
    return outcomes.flatMap((outcome, index): PlannedDispute[] => {
      const { id, verdict, deliverable } = outcome;
      const openedAt = outcome.at + random.integer(1_800, 5 * DAY_SECONDS);
      const at = openedAt + random.integer(45, 20 * HOUR_SECONDS);
      // The newest verdict stays, so that no honest agent ends with failures in a row.
      const isDisputable = index < outcomes.length - 1 && deliverable !== "" && at <= now - 120;
      const isDisputed = random.chance(DISPUTED[verdict]) && isDisputable;
      if (!isDisputed && outcome !== overturned) return [];
      const isFailure = verdict === "FAILURE";
      const contractorWins = isFailure ? random.chance(OVERTURNED_FAILURES) : !overturned;
      const openedBy = isFailure ? "contractor" : "requester";
      return [
        {
          type: "dispute",
          id: deriveUuid(seed, `dispute ${id}`),
          at,
          resolvedAt: at,
          openedAt,
          outcomeId: id,
          openedBy,
          statement: random.pick(STATEMENTS[openedBy]),
          answer: random.chance(0.7) ? random.pick(STATEMENTS.answer) : null,
          verdict: contractorWins ? "CONTRACTOR_WINS" : "REQUESTER_WINS",
          assessed: true,
        },
      ];
    });
  });
}

/** Returns a paid success from the middle of an agent's recent work, which a risk flag names. */
function pickOverturned(outcomes: PlannedOutcome[], now: number): PlannedOutcome | undefined {
  const [from, until] = [now - 60 * DAY_SECONDS, now - MAX_DISPUTE_DAYS * DAY_SECONDS];
  const candidates = outcomes.filter(
    ({ verdict, paidMicro, at }) =>
      verdict === "SUCCESS" && paidMicro >= 500_000 && at > from && at < until,
  );
  return candidates[Math.floor((candidates.length - 1) / 2)];
}
