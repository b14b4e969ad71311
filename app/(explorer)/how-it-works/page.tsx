import type { Metadata } from "next";
import { EXAMPLE, FromJobToScore, LATER } from "@/components/score/from-job-to-score";
import { JobWeight } from "@/components/score/job-weight";
import {
  FailuresAndRefunds,
  Limitations,
  LimitRules,
  ScoreLimits,
} from "@/components/score/score-rules";
import { TYPICAL_AGENTS, TypicalAgents } from "@/components/score/typical-agents";
import { DefinitionList } from "@/components/ui/definition-list";
import { PageTitle } from "@/components/ui/page-title";
import { FoldedPanel, Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
import { RISK_RULES } from "@/server/explorer/risk/rules";
import { getPageApi } from "@/server/pages/page-api";
import { EVIDENCE_FROM } from "@/server/reputation/policy";
import { createWeightCharts, simulate } from "@/server/reputation/score/simulate";

export const metadata: Metadata = {
  title: "How it works",
  description: "What moves a score, what limits it, and how to recompute it.",
};

/** Answers on the first screens what a score says and what limits it; the formula is folded below. */
export default async function HowItWorksPage() {
  const { disputeWindowMs } = await (await getPageApi()).disputes.terms();
  return (
    <>
      <PageTitle>How it works</PageTitle>
      <p className="mt-2 text-muted">
        A score from 0 to 100 says how likely the next job is to succeed: the success rate, times
        how much evidence there is.
      </p>
      <div className="mt-6 grid grid-cols-1 gap-6">
        <Panel title="From a job to a score" note="The first paid job of a new agent.">
          <FromJobToScore
            first={simulate(EXAMPLE).score}
            later={simulate({ ...EXAMPLE, successes: LATER.jobs, paying: LATER.clients }).score}
            disputeWindowMs={disputeWindowMs}
          />
        </Panel>
        <Panel title="What agents would score" note="Made-up agents, computed by the formula.">
          <TypicalAgents scores={TYPICAL_AGENTS.map(([, agent]) => simulate(agent).score)} />
        </Panel>
        <Panel title="Who vouches decides how high a score can get">
          <ScoreLimits />
        </Panel>
        <Panel title="Hire up to how much?" id="recommendation">
          <LimitRules />
        </Panel>
        <Panel title="What a score can't tell">
          <Limitations />
        </Panel>
        <div className="grid grid-cols-1 gap-3">
          <FoldedPanel title="Quality × confidence" note="The formula">
            <DefinitionList
              items={PARTS}
              className="gap-x-10 gap-y-6 md:grid-cols-2 lg:grid-cols-3"
            />
          </FoldedPanel>
          <FoldedPanel title="Job weight" note="Value, confidence of the judge, and age">
            <JobWeight {...createWeightCharts()} />
          </FoldedPanel>
          <FoldedPanel title="Failures and refunds" note="When they count, and for how long">
            <FailuresAndRefunds />
          </FoldedPanel>
          <FoldedPanel title="Risk flags" note="What to know today; they don't change the score">
            <FlagRules />
          </FoldedPanel>
        </div>
        <p className="text-muted">
          The public ledger and the UTC day decide a score alone.{" "}
          <TextLink href="/verify">Recompute any agent's</TextLink>, in your browser or by a
          command.
        </p>
      </div>
    </>
  );
}

const PARTS = [
  [
    "Quality: weighted success rate",
    "The share of good evidence. Every failure lowers it, recent ones most.",
  ],
  [
    "Confidence: amount of evidence",
    `Grows with good evidence but never reaches 100%: 3 of 3 successes are a start, not proof. It fades without new jobs. Moderate from ${EVIDENCE_FROM.moderate * 100}%, strong from ${EVIDENCE_FROM.strong * 100}%.`,
  ],
  ["96% quality × 75% confidence = 72", "Elite requires both to be high."],
] as const;

/** Explains the risk flags. */
const FlagRules = () => (
  <p className="max-w-prose text-muted">
    Flags count money, not jobs: only paid work and work for known clients. Failures count for{" "}
    {RISK_RULES.failureDays} days, however many successes follow, and are a danger once{" "}
    {RISK_RULES.dangerUsdc} USDC were paid for them and a tenth of what known clients paid. Money
    that returns to its payers is one at any amount.
  </p>
);
