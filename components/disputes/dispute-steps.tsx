import { JudgeLink, RecordedStep } from "@/components/outcomes/outcome-steps";
import { formatDateTime } from "@/components/ui/format";
import { Step } from "@/components/ui/step";
import { Time } from "@/components/ui/time";
import { getOtherParty } from "@/server/disputes/parties";
import type { Dispute } from "@/server/disputes/schema";
import { PARTY_NAMES } from "./describe-dispute";

interface Props {
  dispute: Dispute;
  explorerUrl: string | null;
}

/** Shows a dispute's timeline, with pending steps. */
export function DisputeSteps({ dispute, explorerUrl }: Props) {
  const { openedBy, statements, judge, phase } = dispute;
  const answer = statements.find(({ party }) => party !== openedBy);
  const isResolved = phase === "resolved";
  return (
    <ol>
      <Step done title="Opened">
        <Time at={dispute.openedAt} isExact /> by the {PARTY_NAMES[openedBy]}
      </Step>
      <Step
        done={phase !== "awaiting-answer"}
        title={answer || phase === "awaiting-answer" ? "Answered" : "Not answered"}
      >
        {answer ? (
          <>
            <Time at={answer.at} isExact /> by the {PARTY_NAMES[answer.party]}
          </>
        ) : phase === "awaiting-answer" ? (
          `Possible until ${formatDateTime(dispute.expiresAt)}`
        ) : (
          `by the ${PARTY_NAMES[getOtherParty(openedBy)]} in time`
        )}
      </Step>
      <Step done={judge !== undefined || isResolved} title="Reviewed">
        {judge && !dispute.simulated ? (
          <>
            by <JudgeLink {...judge} />
          </>
        ) : isResolved ? (
          !dispute.simulated && "Judge unknown: restored from the chain"
        ) : (
          "After the answer, or the time for it"
        )}
      </Step>
      <RecordedStep record={dispute} after="the review" explorerUrl={explorerUrl} />
    </ol>
  );
}
