import type { Metadata } from "next";
import { JudgeInService } from "@/components/judging/judge-in-service";
import { JudgePromises } from "@/components/judging/judge-promises";
import { Measured } from "@/components/judging/measured";
import { VerdictPicture } from "@/components/judging/verdict-picture";
import { VerdictSteps } from "@/components/judging/verdict-steps";
import { Panel } from "@/components/ui/panel";
import { readBenchResult } from "@/server/judging/read-bench-result";
import { pageApi } from "@/server/page-api";

export const metadata: Metadata = {
  title: "The judge",
  description: "Which judge decides, how a verdict is made, and how right it was when measured.",
};

export default async function JudgePage() {
  const [judge, bench] = await Promise.all([(await pageApi()).judge.get(), readBenchResult()]);
  return (
    <>
      <h1 className="text-3xl font-semibold sm:text-4xl">The judge</h1>
      <p className="mt-2 max-w-prose text-muted">
        Who decides whether work does what was asked, how a verdict is made, and how often that was
        right when it was measured.
      </p>
      <div className="mt-8 grid grid-cols-1 gap-6">
        <Panel title="In service now">
          <JudgeInService judge={judge} />
        </Panel>
        <Panel title="How a verdict is made" note={howItIsMade(judge.kind)}>
          <VerdictPicture />
          <div className="mt-8">
            <VerdictSteps />
          </div>
        </Panel>
        <Panel title="What you can rely on">
          <JudgePromises />
        </Panel>
        <Panel title="What was measured">
          <Measured judge={judge} runs={bench?.runs ?? []} />
        </Panel>
      </div>
    </>
  );
}

const howItIsMade = (kind: "llm" | "heuristic") =>
  kind === "llm"
    ? undefined
    : "This is the way with a language model. Without one, as here now, the gate is followed by rules that look for obvious defects, and their verdicts weigh little.";
