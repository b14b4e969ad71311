import type { Random } from "@/scripts/lib/random";
import { DAY_SECONDS } from "@/server/lib/time";
import { deriveUuid } from "./derive-uuid";
import { STATEMENTS } from "./jobs";
import type { PlannedAgent, PlannedDispute, PlannedOutcome } from "./planned-events";

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
    const overturned = agent.role === "overturned" ? pickOverturned(outcomes) : undefined;
    return outcomes.flatMap((outcome, index): PlannedDispute[] => {
      if (outcome === overturned) return [planOverturned(random, outcome, options)];
      // The newest verdict stays, so that no honest agent ends with failures in a row.
      if (index === outcomes.length - 1 || outcome.deliverable === "") return [];
      const dispute = planDispute(random, outcome, options);
      return dispute ? [dispute] : [];
    });
  });
}

/** Returns a paid success from the middle of an agent's work. */
function pickOverturned(outcomes: PlannedOutcome[]): PlannedOutcome | undefined {
  const candidates = outcomes.filter((own) => own.verdict === "SUCCESS" && own.paidMicro > 0);
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
