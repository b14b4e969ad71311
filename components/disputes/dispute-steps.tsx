import { JudgeLink, RecordedStep } from "@/components/outcomes/outcome-steps";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { Step } from "@/components/ui/step";
import { Time } from "@/components/ui/time";
import { getOtherParty } from "@/server/disputes/parties";
import type { Dispute } from "@/server/disputes/schema";
import { PARTY_NAMES } from "./describe-dispute";

/** Shows a dispute's timeline, with pending steps. */
export function DisputeSteps({ dispute }: { dispute: Dispute }) {
  const { openedBy, statements, judge, phase } = dispute;
  const answer = statements.find(({ party }) => party !== openedBy);
  const isResolved = phase === "resolved";
  const stakeReturn = describeStakeReturn(dispute);
  return (
    <ol>
      <Step done title="Opened">
        <Time at={dispute.openedAt} /> by the {PARTY_NAMES[openedBy]}, with its stake
      </Step>
      <Step
        done={phase !== "awaiting-answer"}
        title={answer || phase === "awaiting-answer" ? "Answered" : "Not answered"}
      >
        {answer ? (
          <>
            <Time at={answer.at} /> by the {PARTY_NAMES[answer.party]}, with its stake
          </>
        ) : phase === "awaiting-answer" ? (
          `Possible until ${formatDateTime(dispute.expiresAt)}`
        ) : (
          `The ${PARTY_NAMES[getOtherParty(openedBy)]} did not respond in time.`
        )}
      </Step>
      <Step done={judge !== undefined || isResolved} title="Reviewed">
        {dispute.simulated ? (
          "Simulated; no judge was called"
        ) : judge ? (
          <>
            by <JudgeLink {...judge} />
          </>
        ) : isResolved ? (
          "Judge unknown: restored from the chain."
        ) : (
          "After the answer, or the time for it"
        )}
      </Step>
      <RecordedStep record={dispute} after="the review" />
      {stakeReturn && (
        <Step done={stakeReturn.done} title="Stake returned">
          {stakeReturn.text}
        </Step>
      )}
    </ol>
  );
}

/** Describes the return of the winner's stake; null if the winner paid none. */
function describeStakeReturn({ stakes, phase }: Dispute) {
  const returned = stakes.find(({ state }) => state === "returned");
  if (returned) {
    const amount = formatUsdc(returned.amountUsdc ?? 0);
    return { done: true, text: `${amount} to the ${PARTY_NAMES[returned.party]}` };
  }
  if (stakes.some(({ state }) => state === "returning")) {
    return { done: false, text: "The winner's stake is being returned." };
  }
  return phase === "resolved" ? null : { done: false, text: "The winner's stake is returned." };
}
