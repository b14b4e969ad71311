import type { Metadata } from "next";
import { MeasuredAccuracy } from "@/components/judging/accuracy";
import { nameJudge } from "@/components/judging/judge-abilities";
import {
  JudgeGuarantees,
  JudgeInService,
  JudgeLimits,
  VerdictSteps,
} from "@/components/judging/judge-explained";
import { PageTitle } from "@/components/ui/page-title";
import { Panel } from "@/components/ui/panel";
import { readBenchResult } from "@/server/pages/bench-result";
import { getPageApi } from "@/server/pages/page-api";

export const metadata: Metadata = {
  title: "The judge",
  description: "Which judge decides, how it reaches a verdict, and how accurate it is.",
};

export default async function JudgePage() {
  const [judge, bench] = await Promise.all([(await getPageApi()).judge.get(), readBenchResult()]);
  return (
    <>
      <PageTitle>The judge</PageTitle>
      <p className="mt-2 max-w-prose text-muted">
        New outcomes are decided by {nameJudge(judge)}. {judge.note}
      </p>
      <div className="mt-6 grid grid-cols-1 gap-6">
        <Panel title="What it can and can't do">
          <JudgeInService judge={judge} />
        </Panel>
        <Panel title="Measured accuracy">
          <MeasuredAccuracy judge={judge} bench={bench} />
        </Panel>
        <Panel title="Verdict process">
          <VerdictSteps kind={judge.kind} />
        </Panel>
        <Panel title="Limits">
          <JudgeLimits />
        </Panel>
        <Panel title="Guarantees">
          <JudgeGuarantees kind={judge.kind} />
        </Panel>
      </div>
    </>
  );
}
