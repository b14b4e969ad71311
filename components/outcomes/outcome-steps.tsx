import { describeResult, PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { nameJudge } from "@/components/judging/judge-abilities";
import { capitalizeFirst, formatDateTime, formatDay, formatUsdc } from "@/components/ui/format";
import { TransactionHash } from "@/components/ui/hex";
import { Link } from "@/components/ui/link";
import { Step } from "@/components/ui/step";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Dispute } from "@/server/disputes/schema";
import type { PublicOutcome, Refund, Superseded } from "@/server/outcomes/schema";
import { getRecordedResult, getVerdict, nameResult } from "./result";

interface Props {
  outcome: PublicOutcome;
  dispute: Dispute | null;
  explorerUrl: string | null;
}

/** Shows an outcome's timeline, with pending steps. */
export function OutcomeSteps({ outcome, dispute, explorerUrl }: Props) {
  const recorded = dispute ? getRecordedResult(dispute) : getVerdict(outcome);
  const { judge, submittedBy, countsFrom, refund, superseded, evidence } = outcome;
  const isRestored = outcome.rebuilt === true && judge === undefined;
  return (
    <ol>
      {outcome.agreed && (
        <Step done title="Agreed by both">
          {evidence?.agreement
            ? formatDateTime(evidence.agreement.agreedAt)
            : "Both signed the terms before the work"}
        </Step>
      )}
      <Step done title="Submitted">
        {isRestored ? "Time unknown," : <Time at={outcome.submittedAt} isExact />} by the{" "}
        {PARTY_NAMES[submittedBy.role]}
        {submittedBy.walletVerified ? " (verified wallet)" : " (unverified wallet)"}
      </Step>
      <Step done={isRestored || judge !== undefined} title="Judged">
        {isRestored ? (
          "Judge unknown: restored from the chain"
        ) : judge ? (
          <>
            {recorded && capitalizeFirst(nameResult(recorded))}
            {!outcome.simulated && (
              <>
                {recorded && ", "}by <JudgeLink {...judge} />
              </>
            )}
          </>
        ) : (
          "Waiting for the verdict"
        )}
      </Step>
      <RecordedStep record={outcome} after="the verdict" explorerUrl={explorerUrl} />
      {dispute && <DisputeStep dispute={dispute} />}
      {countsFrom && !refund && (
        <Step done={Date.parse(countsFrom) <= Date.now()} title="Counts as a failure">
          From {formatDay(countsFrom)}, unless the contractor refunds the payment
        </Step>
      )}
      {refund && <RefundedStep refund={refund} />}
      {superseded && <SupersededStep superseded={superseded} />}
    </ol>
  );
}

function DisputeStep({ dispute }: { dispute: Dispute }) {
  const { disputeId, openedAt, openedBy, resolvedAt } = dispute;
  const isResolved = dispute.status === "RESOLVED";
  return (
    <>
      <Step done title="Disputed">
        <Time at={openedAt} isExact /> by the {PARTY_NAMES[openedBy]}
      </Step>
      <Step done={isResolved} title={isResolved ? describeResult(dispute) : "Dispute decided"}>
        {resolvedAt && (
          <>
            <Time at={resolvedAt} isExact />,{" "}
          </>
        )}
        <TextLink href={`/disputes/${disputeId}`}>
          {isResolved ? "see the dispute" : "follow the dispute"}
        </TextLink>
      </Step>
    </>
  );
}

function SupersededStep({ superseded: { by, status } }: { superseded: Superseded }) {
  return (
    <Step done={status === "recorded"} title="Superseded">
      By <TextLink href={`/outcomes/${by}`}>the client's own report</TextLink>
      {status === "recorded" ? "" : ", being recorded on chain"}
    </Step>
  );
}

function RefundedStep({ refund: { amountUsdc, refundedAt } }: { refund: Refund }) {
  return (
    <Step done={refundedAt !== undefined} title="Refunded">
      {formatUsdc(amountUsdc)} from the contractor to the client,{" "}
      {refundedAt ? `recorded ${formatDateTime(refundedAt)}` : "being recorded on chain"}
    </Step>
  );
}

interface RecordedStepProps {
  /** An outcome or a dispute; recorded if it has a time. */
  record: { resolvedAt?: string | undefined; onChainTx?: string | undefined };
  /** The preceding step, such as "the verdict". */
  after: string;
  explorerUrl: string | null;
}

/** Shows when a verdict was recorded on chain, or that it is pending. */
export function RecordedStep({ record, after, explorerUrl }: RecordedStepProps) {
  const { resolvedAt, onChainTx } = record;
  return (
    <Step done={resolvedAt !== undefined} title="Recorded on chain">
      {resolvedAt ? (
        <>
          <Time at={resolvedAt} isExact />
          {onChainTx && (
            <>
              {", "}
              <TransactionHash
                value={onChainTx}
                name="transaction hash"
                explorerUrl={explorerUrl}
                brief
              />
            </>
          )}
        </>
      ) : (
        `After ${after}; both appear at the same time`
      )}
    </Step>
  );
}

/** Names the judge, with a link to the judge page. */
export function JudgeLink(judge: NonNullable<PublicOutcome["judge"]>) {
  return (
    <Link
      href="/judge"
      className="break-words underline decoration-line underline-offset-2 hover:decoration-ink"
    >
      {nameJudge(judge)}
    </Link>
  );
}
