import { formatDateTime } from "@/components/ui/format";
import { Step } from "@/components/ui/step";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { JudgeLink } from "./judge-link";
import { RecordedStep } from "./recorded-step";
import { RefundStep } from "./refund-step";

const JUDGES = {
  llm: "a language model",
  heuristic: "built-in rules",
  gate: "a rule, before a judge was asked",
} as const;

interface Props {
  outcome: PublicOutcome;
  explorerUrl: string | null;
}

/** Submitted, judged, recorded: what happened when, and what is still to come. */
export function OutcomeSteps({ outcome, explorerUrl }: Props) {
  const { judge, submittedBy } = outcome;
  const isLost = outcome.rebuilt === true && judge === undefined;
  return (
    <ol className="grid gap-5">
      <Step done title="Submitted">
        {isLost ? "At a time that was lost," : formatDateTime(outcome.submittedAt)} by the{" "}
        {submittedBy.role}
        {submittedBy.walletVerified ? ", whose wallet is proven" : ", whose wallet is not proven"}
      </Step>
      <Step done={isLost || judge !== undefined} title="Judged">
        {outcome.simulated ? (
          "Made up: no judge was asked."
        ) : isLost ? (
          "by whom was lost with an earlier database: this was rebuilt from the chain."
        ) : judge ? (
          <>
            by <JudgeLink id={judge.id} /> ({JUDGES[judge.kind]})
          </>
        ) : (
          "Waits for its verdict."
        )}
      </Step>
      <RecordedStep record={outcome} explorerUrl={explorerUrl} before="the verdict" />
      {outcome.refund && <RefundStep refund={outcome.refund} explorerUrl={explorerUrl} />}
    </ol>
  );
}
