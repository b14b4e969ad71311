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

const { requesterCap, claimedCap, openCap, graceDays, freshFailureFactor } = POLICY;

const DESCRIPTIONS: Record<ScoreChangeRule, (facts: ScoreChangeFacts) => string> = {
  success: (facts) => `${describeSuccess(facts)}.`,
  "success-partner-full": (facts) =>
    `${describeSuccess(facts)}: this client has reached its limit of ${requesterCap} units.`,
  "success-claims-full": (facts) =>
    `${describeSuccess(facts)}: unconfirmed evidence is limited to ${claimedCap} units in total.`,
  "success-open-full": (facts) =>
    `${describeSuccess(facts)}: unanchored evidence is limited to ${openCap} units, or to the amount of anchored evidence if that is higher.`,
  "success-tenure-full": (facts) =>
    `${describeSuccess(facts)}: the agent's tenure limits its evidence to ${formatUnits(facts.capacity)} units.`,
  failure: (facts) =>
    facts.backing === "claimed"
      ? `A failure of ${formatValue(facts)} counts against the agent. It has no extra weight, since it is neither paid nor anchored.`
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
    `The dispute turned this success into a failure, which counts ${POLICY.overturnedFactor} times, or once after ${graceDays} days if it rests on an unanchored client's word.`,
  "dispute-took-success": () =>
    "The dispute turned this success into a failure. The agent neither submitted it nor was paid, so it no longer counts for or against the agent.",
  "dispute-made-success": () => "The dispute turned this failure into a success.",
  "dispute-confirmed-failure": () =>
    `The dispute confirmed this reported failure: it counts at once, ${freshFailureFactor} times while fresh.`,
  refund: () => "The agent returned the payment of this outcome, so it no longer counts.",
  superseded: () =>
    "The client submitted its own outcome for the payment that the agent had named, so the agent's no longer counts.",
  "anchor-added": ({ outcomes = 0 }) =>
    `A client became an anchor: ${countJobs(outcomes)} for it ${outcomes === 1 ? "counts" : "count"} as anchored.`,
  "anchor-revoked": ({ outcomes = 0 }) =>
    `A client is no longer an anchor: ${countJobs(outcomes)} for it no longer ${outcomes === 1 ? "counts" : "count"} as anchored.`,
  takeover: ({ outcomes = 0 }) =>
    `The wallet's owner ended an unverified registration: ${countJobs(outcomes)} that it submitted ${outcomes === 1 ? "weighs" : "weigh"} nothing.`,
  days: () =>
    `Only time passed: evidence halves every ${POLICY.halfLifeDays} days, a failure's extra weight every ${POLICY.extraHalfLifeDays}, and a longer tenure allows more evidence.`,
};

function describeSuccess({ backing, isNewRequester, ...value }: ScoreChangeFacts): string {
  const client = isNewRequester ? "a new client" : "a returning client";
  if (backing === "paid") return `A paid success of ${formatValue(value)} for ${client}`;
  // A job that nobody paid is worth less than the value that was submitted.
  const type = backing === "anchored" ? "An anchored" : "An unconfirmed";
  return `${type} success worth ${formatValue(value)} for ${client}`;
}

const formatValue = ({ valueUsdc = 0 }: ScoreChangeFacts) => `${formatUsdc(valueUsdc)} USDC`;
const formatUnits = (units = 0) => units.toFixed(2);
const countJobs = (count: number) => (count === 1 ? "one job" : `${count} jobs`);
