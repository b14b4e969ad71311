import { JudgeLink } from "@/components/outcomes/judge-link";
import { RecordedStep } from "@/components/outcomes/recorded-step";
import { formatDateTime } from "@/components/ui/format";
import { Step } from "@/components/ui/step";
import type { Dispute } from "@/server/disputes/schema";

interface Props {
  dispute: Dispute;
  explorerUrl: string | null;
}

/** Opened, answered, reviewed, recorded, paid back: what happened when, and what is to come. */
export function DisputeSteps({ dispute, explorerUrl }: Props) {
  const { openedBy, statements, judge, stakes, phase } = dispute;
  const answer = statements.find(({ party }) => party !== openedBy);
  const back = stakes.filter(({ state }) => state === "returned");
  const isOwed = stakes.some(({ state }) => state === "returning");
  return (
    <ol className="grid gap-5">
      <Step done title="Opened">
        {formatDateTime(dispute.openedAt)} by the {openedBy}, with its stake
      </Step>
      <Step
        done={answer !== undefined}
        title={answer || phase === "awaiting-answer" ? "Answered" : "Not answered"}
      >
        {answer
          ? `${formatDateTime(answer.at)} by the ${answer.party}, with its stake`
          : phase === "awaiting-answer"
            ? `Possible until ${formatDateTime(dispute.expiresAt)}.`
            : "The other party let the time go by."}
      </Step>
      <Step done={judge !== undefined || phase === "resolved"} title="Reviewed">
        {dispute.simulated ? (
          "Made up: no judge was asked."
        ) : judge ? (
          <>
            by {judge.kind === "gate" && "a rule, without a judge: "}
            <JudgeLink id={judge.id} />
          </>
        ) : phase === "resolved" ? (
          "By whom was lost with an earlier database: the verdict was taken in from the chain."
        ) : (
          "The judge looks at the work again with both sides."
        )}
      </Step>
      <RecordedStep record={dispute} explorerUrl={explorerUrl} before="the review" />
      <Step
        done={back.length > 0}
        title={
          phase === "resolved" && back.length === 0 && !isOwed ? "Nothing to pay back" : "Paid back"
        }
      >
        {back.length > 0
          ? `The ${back[0]?.party} has its stake again.`
          : isOwed
            ? "The winner's stake is on its way."
            : phase === "resolved"
              ? "The winner had no stake in it, so nothing is owed."
              : "The winner gets its stake again."}
      </Step>
    </ol>
  );
}
