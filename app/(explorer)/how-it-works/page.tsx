import type { Metadata } from "next";
import { z } from "zod";
import { ScoreSquare } from "@/components/charts/score-square";
import { EXAMPLE, FromJobToScore } from "@/components/score/from-job-to-score";
import { JobWeight } from "@/components/score/job-weight";
import { Playground } from "@/components/score/playground";
import {
  FailuresAndRefunds,
  Limitations,
  LimitRules,
  ScoreLimits,
} from "@/components/score/score-rules";
import { DefinitionList } from "@/components/ui/definition-list";
import { PageTitle } from "@/components/ui/page-title";
import { FoldedPanel, Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
import { RISK_RULES } from "@/server/explorer/risk/rules";
import { getPageApi, resolveOrNull } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";
import { EVIDENCE_FROM, POLICY } from "@/server/reputation/policy";
import { simulateInput } from "@/server/reputation/schema";
import { createWeightCharts, simulate } from "@/server/reputation/score/simulate";

export const metadata: Metadata = {
  title: "How it works",
  description: "What moves a score, what limits it, and how to recompute it.",
};

/** Parses single fields only; the procedure rejects agents without clients. */
const querySchema = z.object(simulateInput.shape);

/** Returns the worked example's score after some jobs, each for one of the paying clients. */
const simulateExample = (jobs: number, clients: number) =>
  simulate(
    simulateInput.parse({
      successes: jobs,
      paying: clients,
      claiming: 0,
      valueUsdc: EXAMPLE.valueUsdc,
      judgeConfidence: EXAMPLE.judgeConfidence,
      firstDaysAgo: 0,
    }),
  );

/** Answers on the first screens what a score says and what limits it; the formula is folded below. */
export default async function HowItWorksPage({ searchParams }: PageProps<"/how-it-works">) {
  const query = await searchParams;
  const api = await getPageApi();
  const { disputeWindowMs } = await api.disputes.terms();
  return (
    <>
      <PageTitle>How it works</PageTitle>
      <p className="mt-2 text-muted">
        A score from 0 to 100 says how likely the next job is to succeed: how well the agent's work
        went so far, times how much of it there is to go by.
      </p>
      <div className="mt-6 grid grid-cols-1 gap-6">
        <Panel title="From a job to a score" note="The first paid job of a new agent.">
          <FromJobToScore
            first={simulateExample(1, 1)}
            later={simulateExample(EXAMPLE.jobs, EXAMPLE.clients)}
            disputeWindowMs={disputeWindowMs}
          />
        </Panel>
        <Panel title="Who vouches decides how high a score can get">
          <ScoreLimits />
        </Panel>
        <Panel
          title="Hire up to how much?"
          id="recommendation"
          note={`From a score of ${POLICY.trustedFrom} on and without a warning.`}
        >
          <LimitRules />
        </Panel>
        <Panel title="What a score can't tell">
          <Limitations />
        </Panel>
        <Formula
          input={parsePageQuery(querySchema, query)}
          isTried={Object.keys(query).length > 0}
        />
        <p className="max-w-prose text-muted">
          The score is computed from the public ledger and the UTC day alone, so everyone gets the
          same result. <TextLink href="/verify">Check any agent</TextLink>, in your browser or by a
          command.
        </p>
      </div>
    </>
  );
}

interface FormulaProps {
  input: z.infer<typeof querySchema>;
  /** Whether the visitor made up an agent. */
  isTried: boolean;
}

/** Lets visitors try the formula, and explains its parts on demand. */
async function Formula({ input, isTried }: FormulaProps) {
  const result = await resolveOrNull((await getPageApi()).reputation.simulate(input));
  return (
    <div className="grid grid-cols-1 gap-3">
      <FoldedPanel
        title="Playground"
        note="Make up an agent and see its score. Nothing is stored."
        isOpen={isTried}
      >
        <Playground input={input} result={result} />
      </FoldedPanel>
      <FoldedPanel title="Quality × confidence" note="The formula">
        <QualityAndConfidence />
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

const QualityAndConfidence = () => (
  <div className="grid grid-cols-1 gap-x-10 gap-y-6 sm:grid-cols-[18rem_1fr]">
    <ScoreSquare quality={0.96} confidence={0.75} score={72} />
    <DefinitionList items={PARTS} className="max-w-prose content-center gap-5" />
  </div>
);

/** Explains the risk flags. */
const FlagRules = () => (
  <p className="max-w-prose text-muted">
    Flags count money, not jobs: only paid work and work for known clients. Failures count for{" "}
    {RISK_RULES.failureDays} days, however many successes follow, and are a danger once{" "}
    {RISK_RULES.dangerUsdc} USDC were paid for them and a tenth of what known clients paid. Money
    that returns to its payers is one at any amount.
  </p>
);
