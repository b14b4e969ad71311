import { formatUsdc } from "@/server/lib/usdc";
import { POLICY } from "@/server/reputation/policy";
import type {
  ScoreChangeFacts,
  ScoreChangeRule,
  StoredScoreChange,
} from "@/server/reputation/schema";

/** Describes in plain words the rule that moved a score. */
export function describeScoreChange({
  rule,
  facts,
}: Pick<StoredScoreChange, "rule" | "facts">): string {
  return DESCRIPTIONS[rule](facts);
}

const { graceDays, freshFailureFactor } = POLICY;

const DESCRIPTIONS: Record<ScoreChangeRule, (facts: ScoreChangeFacts) => string> = {
  success: (facts) => `${describeSuccess(facts)}.`,
  "success-partner-full": (facts) =>
    `${describeSuccess(facts)}: this client's jobs already count as much as one client's can.`,
  "success-claims-full": (facts) =>
    `${describeSuccess(facts)}: unconfirmed jobs already count as much as they can.`,
  "success-open-full": (facts) =>
    `${describeSuccess(facts)}: without more work for known clients, other jobs already count as much as they can.`,
  "success-tenure-full": (facts) =>
    `${describeSuccess(facts)}: for an agent this young, no more evidence counts.`,
  failure: (facts) =>
    facts.backing === "claimed"
      ? `A failure of ${formatValue(facts)} counts against the agent. It has no extra weight, since it was neither paid nor for a known client.`
      : `A failure of ${formatValue(facts)} counts against the agent, ${freshFailureFactor} times while fresh; the extra weight halves every ${POLICY.extraHalfLifeDays} days.`,
  "failure-reported": (facts) =>
    `A failure of ${formatValue(facts)} that the client reported counts from ${facts.countsFrom}, unless the agent returns the payment.`,
  "failure-matured": ({ outcomes = 1, ...facts }) =>
    outcomes === 1
      ? `A reported failure of ${formatValue(facts)} counts against the agent: its ${graceDays} days of grace are over. It has no extra weight.`
      : `${outcomes} reported failures count against the agent: their ${graceDays} days of grace are over. They have no extra weight.`,
  "weightless-self": () => "A job for oneself has no weight.",
  "weightless-value": () => "A job of no value has no weight.",
  "weightless-stranger": () =>
    "A failure submitted by a client that did not pay lowers neither the score nor the rates.",
  "weightless-unsure": () => "The work was not assessed, so this outcome has no weight.",
  "weightless-squatter": () =>
    "The wallet's owner ended the registration that submitted this outcome, so it has no weight.",
  "dispute-upheld": () => "The dispute did not change the weight of the outcome.",
  "dispute-unassessed": () =>
    "The verdict was overturned without assessing the work, so it has no weight for or against the agent.",
  "dispute-made-failure": () =>
    `The dispute turned this success into a failure, which counts ${POLICY.overturnedFactor} times, or once after ${graceDays} days if it rests only on the word of a client that isn't a known client.`,
  "dispute-took-success": () =>
    "The dispute turned this success into a failure. The agent neither submitted it nor was paid, so it no longer counts for or against the agent.",
  "dispute-made-success": () => "The dispute turned this failure into a success.",
  "dispute-confirmed-failure": () =>
    `The dispute confirmed this reported failure: it counts at once, ${freshFailureFactor} times while fresh.`,
  refund: () => "The agent returned the payment of this outcome, so it no longer counts.",
  superseded: () =>
    "The client submitted its own outcome for the payment that the agent had named, so the agent's no longer counts.",
  "anchor-added": ({ outcomes = 0 }) =>
    `A client became a known client: ${countJobs(outcomes)} for it ${outcomes === 1 ? "counts" : "count"} as such.`,
  "anchor-revoked": ({ outcomes = 0 }) =>
    `A client is no longer a known client: ${countJobs(outcomes)} for it no longer ${outcomes === 1 ? "counts" : "count"} as such.`,
  takeover: ({ outcomes = 0 }) =>
    `The wallet's owner ended an unverified registration: ${countJobs(outcomes)} that it submitted ${outcomes === 1 ? "weighs" : "weigh"} nothing.`,
  days: () =>
    `Only time passed: evidence halves every ${POLICY.halfLifeDays} days, a failure's extra weight every ${POLICY.extraHalfLifeDays}, and a longer tenure allows more evidence.`,
};

function describeSuccess({ backing, isNewRequester, ...value }: ScoreChangeFacts): string {
  const client = isNewRequester ? "a new" : "a returning";
  if (backing === "paid") return `A paid success of ${formatValue(value)} for ${client} client`;
  // An unpaid job is worth less than the value that was submitted.
  return backing === "anchored"
    ? `A success worth ${formatValue(value)} for ${client} known client`
    : `An unconfirmed success worth ${formatValue(value)} for ${client} client`;
}

const formatValue = ({ valueUsdc = 0 }: ScoreChangeFacts) => `${formatUsdc(valueUsdc)} USDC`;
const countJobs = (count: number) => (count === 1 ? "one job" : `${count} jobs`);
