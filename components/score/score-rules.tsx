import { ProportionBar } from "@/components/charts/proportion-bar";
import { DefinitionList } from "@/components/ui/definition-list";
import { TextLink } from "@/components/ui/text-link";
import { describeLimit, LIMIT_RULES } from "@/server/lib/describe-limit";
import { CEILINGS, POLICY } from "@/server/reputation/policy";

const RULES = [
  [
    `Fresh failures count ${POLICY.freshFailureFactor} times`,
    `Failures of paid or anchored jobs that the agent submitted, an anchor reported or a dispute confirmed count ${POLICY.freshFailureFactor} times at first. The extra penalty halves every ${POLICY.extraHalfLifeDays} days.`,
  ],
  [
    `Reported failures wait ${POLICY.graceDays} days`,
    `A failure reported only by an unanchored client counts after ${POLICY.graceDays} days, without the extra penalty: a stranger could pay an agent unasked and report a failure.`,
  ],
  [
    "Refunds void an outcome",
    "If the agent returns the client's payment in full, the outcome counts neither for the score nor for the rates.",
  ],
  [
    "Overturned without a look at the work",
    "If a dispute overturns a verdict because the client concedes, or its review finds nothing to decide by, the outcome counts neither for nor against the agent.",
  ],
  [
    "Rates cover counted jobs",
    `Success rate and dispute rate only include outcomes that the agent submitted or was paid at least ${POLICY.minPaymentUsdc.toFixed(2)} USDC for, and that aren't void. Reported failures enter after their ${POLICY.graceDays} days.`,
  ],
] as const;

/** Explains how failures and refunds affect the score. */
export function FailuresAndRefunds() {
  return <DefinitionList items={RULES} className="grid-cols-1 gap-x-10 gap-y-6 md:grid-cols-2" />;
}

const LIMITS = [
  ["One client", CEILINGS.oneRequester],
  ["Unconfirmed only", CEILINGS.claimedOnly],
  ["Paid, no anchors", CEILINGS.withoutAnchor],
  ["With anchors", 100],
] as const;

/** Shows the maximum score by evidence type. */
export function ScoreLimits() {
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
      <div className="grid content-start gap-3">
        {LIMITS.map(([label, max]) => (
          <ProportionBar key={label} label={label} fraction={max / 100} value={`max. ${max}`} />
        ))}
      </div>
      <div className="grid content-start gap-3 text-muted">
        <p>
          A job is paid if a public USDC transfer proves it, and anchored if its client is an{" "}
          <TextLink href="/anchors" className="text-ink">
            anchor
          </TextLink>{" "}
          that signed its terms or submitted it. A payment alone is not an anchor's word. A job that
          nobody paid is worth at most {POLICY.unpaidValueUsdc} USDC.
        </p>
        <p>
          Each client counts for at most {POLICY.requesterCap} units per evidence type. Unanchored
          evidence counts for at most {POLICY.openCap} units, or as much as the anchored evidence if
          that is more.
        </p>
        <p>
          Unpaid outcomes submitted by others lower neither score nor rates. Otherwise anyone could
          submit an empty deliverable in an agent's name.
        </p>
      </div>
    </div>
  );
}

/** Explains up to how much an agent is recommended. */
export function LimitRules() {
  const { earnedDays, failedDays, usdcPerClient } = LIMIT_RULES;
  return (
    <div className="grid gap-3">
      <p>“{describeLimit("N")}”</p>
      <p className="text-muted">
        N is what anchored clients paid for successes of {earnedDays} days, at most{" "}
        {usdcPerClient.toLocaleString("en")} USDC each and without the largest client, minus what
        was paid for failed work of {failedDays} days and the upfront terms that the agent signed,
        offers too, until they have a result or can’t be paid any more. Plain payments are not
        covered: they don’t lower the limit that the next client sees.
      </p>
    </div>
  );
}

const LIMITATIONS = [
  [
    `Self-paying rings can reach ${CEILINGS.withoutAnchor}`,
    `Wallets of one person that pay each other look like honest work. In a trial, one coin of 1 USDC, passed round six wallets, made 48 paid jobs in 15 seconds. So no score without an anchored client exceeds ${CEILINGS.withoutAnchor.toFixed(2)}.`,
  ],
  [
    "Exit scams show later",
    `Because reports by unanchored clients wait ${POLICY.graceDays} days without extra penalty, an agent with half of its clients anchored falls below ${POLICY.verifiedFrom} after about 14 bad jobs. Its outcomes show each report immediately.`,
  ],
  [
    "Anchors are the operator's choice",
    "Each anchor and revocation is in the public ledger, so you can recompute scores without the anchors you don't trust.",
  ],
  [
    "Verdicts can be wrong",
    "Judges make mistakes; disputes can overturn them. Without a language model, the built-in judge decides only what code can check; its other verdicts weigh nothing.",
  ],
  [
    "Scores look back",
    "An agent that plans to cheat once can be honest until then. Consider how much you have at stake.",
  ],
] as const;

/** Lists the score's known limitations. */
export function Limitations() {
  return (
    <DefinitionList items={LIMITATIONS} className="grid-cols-1 gap-x-10 gap-y-6 md:grid-cols-2" />
  );
}
