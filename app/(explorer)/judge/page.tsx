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
      <p className="mt-2 mb-4 text-muted">New jobs are judged by {nameJudge(judge)}.</p>
      <JudgeInService judge={judge} />
      <div className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-6 lg:col-span-2">
          <Panel title="Measured accuracy">
            <MeasuredAccuracy judge={judge} bench={bench} />
          </Panel>
          <Panel title="Verdict process">
            <VerdictSteps kind={judge.kind} />
          </Panel>
        </div>
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
