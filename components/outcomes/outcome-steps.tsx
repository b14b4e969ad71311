import { formatDateTime } from "@/components/ui/format";
import { Step } from "@/components/ui/step";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { JudgeLink } from "./judge-link";
import { RecordedStep } from "./recorded-step";
import { RefundStep } from "./refund-step";

const JUDGES = {
  llm: "a language model",
  heuristic: "built-in rules",
  gate: "a rule, before any judge",
} as const;

interface Props {
  outcome: PublicOutcome;
  explorerUrl: string | null;
}

/** Shows an outcome's timeline, with pending steps. */
export function OutcomeSteps({ outcome, explorerUrl }: Props) {
  const { judge, submittedBy } = outcome;
  const isRestored = outcome.rebuilt === true && judge === undefined;
  return (
    <ol className="grid gap-5">
      <Step done title="Submitted">
        {isRestored ? "Time unknown," : formatDateTime(outcome.submittedAt)} by the{" "}
        {submittedBy.role}
        {submittedBy.walletVerified ? " (verified wallet)" : " (unverified wallet)"}
      </Step>
      <Step done={isRestored || judge !== undefined} title="Judged">
        {outcome.simulated ? (
          "Simulated; no judge was called."
        ) : isRestored ? (
          "Judge unknown: restored from the chain."
        ) : judge ? (
          <>
            by <JudgeLink id={judge.id} /> ({JUDGES[judge.kind]})
          </>
        ) : (
          "Waiting for the verdict."
        )}
      </Step>
      <RecordedStep record={outcome} explorerUrl={explorerUrl} before="the verdict" />
      {outcome.refund && <RefundStep refund={outcome.refund} explorerUrl={explorerUrl} />}
    </ol>
  );
}
