import type { Random } from "@/scripts/lib/random";
import type { Category, Verdict } from "@/server/lib/schema";
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

interface JobTexts {
  title: string;
  task: string;
  /** The deliverable; empty if nothing was delivered. */
  deliverable: string;
  reasoning: string;
  valueMicro: number;
}

/**
 * Returns a fictional job of a category with the given verdict. Its texts say that it is simulated.
 */
function createJob(random: Random, category: Category, verdict: Verdict): JobTexts {
  const trade = TRADES[category];
  if (!trade) throw new Error(`no texts for the category ${category}`);
  const [texts, subject] = [random.pick(trade.tasks), random.pick(trade.subjects)];
  const [title = "", task = ""] = texts.map((text) => text.replace("#", subject));
  const usdc = trade.usualUsdc * Math.exp(random.between(-0.9, 0.9));
  const note = random.pick(verdict === "SUCCESS" ? trade.met : trade.missed);
  const required = random.integer(2, 5);
  const found =
    verdict === "SUCCESS"
      ? `All ${required} demands are met`
      : `${random.integer(0, required - 1)} of ${required} demands are met`;
  return {
    title,
    task,
    deliverable: `Simulated deliverable for: ${task}`,
    reasoning: `Simulated verdict; no judge was used. ${found}: ${note}.`,
    valueMicro: Math.max(4, Math.round(usdc * 2)) * 500_000,
  };
}

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

/** Returns an outcome of an agent. The newest one of an honest agent is always a success. */
export function planOutcome(
  random: Random,
  { agent, requester, isAnchored, at, id, isLast, now }: Job,
): PlannedOutcome {
  const isScam = agent.role === "scam" && at > now - SCAM_DAYS * DAY_SECONDS;
  const isHonestEnd = isLast && !isScam;
  const isCalm = agent.jobs < FEW_JOBS && at > now - CALM_DAYS * DAY_SECONDS;
  const isGood = random.chance(agent.skill) || isHonestEnd || isCalm;
  const verdict = isGood && !isScam ? "SUCCESS" : "FAILURE";
  const category = random.pick(agent.categories);
  const job = createJob(random, category, verdict);
  const valueMicro = isScam ? job.valueMicro * 4 : job.valueMicro;
  const isPaid = random.chance(0.82) || isScam || isHonestEnd || ALWAYS_PAID.includes(agent.role);
  const confidence = random.chance(0.8) ? random.between(0.94, 0.995) : random.between(0.72, 0.94);
  const isByRequester = random.chance(0.14) || isScam || isAnchored;
  const submitter = isByRequester ? requester : agent;
  return {
    type: "outcome",
    id,
    at,
    submittedAt: at - random.integer(6, 40),
    contractor: agent.wallet,
    requester: requester.wallet,
    category,
    title: job.title,
    task: job.task,
    deliverable: isScam ? "" : job.deliverable,
    reasoning: isScam
      ? "Simulated verdict; no judge was used. The deliverable is empty."
      : job.reasoning,
    valueMicro,
    paidMicro: isPaid ? valueMicro : 0,
    submittedBy: isByRequester ? "requester" : "contractor",
    proven: submitter.isWalletVerified,
    verdict,
    confPpm: isScam ? 1_000_000 : Math.round(confidence * 1_000_000),
  };
}

const HOUR_SECONDS = 3_600;
/** Share of failures and of successes that are disputed, and of disputed failures overturned. */
const DISPUTED_FAILURES = 0.3;
const DISPUTED_SUCCESSES = 0.012;
const OVERTURNED_FAILURES = 0.5;

interface Options {
  seed: number;
  now: number;
}

/**
 * Returns disputes: contractors dispute some failures, requesters fewer successes. Only the agent
 * with the role `overturned` loses one of its successes.
 */
export function planDisputes(
  random: Random,
  workOf: Map<PlannedAgent, PlannedOutcome[]>,
  options: Options,
): PlannedDispute[] {
  return [...workOf].flatMap(([agent, outcomes]) => {
    if (agent.role === "ring") return [];
    const overturned = agent.role === "overturned" ? pickOverturned(outcomes, options) : undefined;
    return outcomes.flatMap((outcome, index): PlannedDispute[] => {
      if (outcome === overturned) return [planOverturned(random, outcome, options)];
      // The newest verdict stays, so that no honest agent ends with failures in a row.
      if (index === outcomes.length - 1 || outcome.deliverable === "") return [];
      const dispute = planDispute(random, outcome, options);
      return dispute ? [dispute] : [];
    });
  });
}

/** Returns a paid success from the middle of an agent's recent work, which a risk flag names. */
function pickOverturned(outcomes: PlannedOutcome[], { now }: Options): PlannedOutcome | undefined {
  const since = now - 60 * DAY_SECONDS;
  const candidates = outcomes.filter(
    (own) => own.verdict === "SUCCESS" && own.paidMicro >= 500_000 && own.submittedAt > since,
  );
  return candidates[Math.floor((candidates.length - 1) / 2)];
}

/** Returns the dispute of an outcome by the party that lost, by chance; null if there is none. */
function planDispute(
  random: Random,
  outcome: PlannedOutcome,
  options: Options,
): PlannedDispute | null {
  const isFailure = outcome.verdict === "FAILURE";
  const times = drawTimes(random, outcome);
  const isDisputed = random.chance(isFailure ? DISPUTED_FAILURES : DISPUTED_SUCCESSES);
  if (!isDisputed || times.at > options.now - 120) return null;
  const contractorWins = !isFailure || random.chance(OVERTURNED_FAILURES);
  return buildDispute(random, outcome, {
    ...options,
    ...times,
    openedBy: isFailure ? "contractor" : "requester",
    verdict: contractorWins ? "CONTRACTOR_WINS" : "REQUESTER_WINS",
  });
}

function planOverturned(random: Random, outcome: PlannedOutcome, options: Options): PlannedDispute {
  const { openedAt } = drawTimes(random, outcome);
  const at = Math.min(openedAt + HOUR_SECONDS, options.now - 1);
  return buildDispute(random, outcome, {
    ...options,
    openedAt: Math.min(openedAt, at),
    at,
    openedBy: "requester",
    verdict: "REQUESTER_WINS",
  });
}

function drawTimes(random: Random, outcome: PlannedOutcome): { openedAt: number; at: number } {
  const openedAt = outcome.at + random.integer(1_800, 5 * DAY_SECONDS);
  return { openedAt, at: openedAt + random.integer(45, 20 * HOUR_SECONDS) };
}

function buildDispute(
  random: Random,
  outcome: PlannedOutcome,
  {
    seed,
    openedAt,
    at,
    openedBy,
    verdict,
  }: Options & Pick<PlannedDispute, "openedAt" | "at" | "openedBy" | "verdict">,
): PlannedDispute {
  return {
    type: "dispute",
    id: deriveUuid(seed, `dispute ${outcome.id}`),
    at,
    openedAt,
    outcomeId: outcome.id,
    openedBy,
    statement: random.pick(STATEMENTS[openedBy]),
    answer: random.chance(0.7) ? random.pick(STATEMENTS.answer) : null,
    verdict,
  };
}
