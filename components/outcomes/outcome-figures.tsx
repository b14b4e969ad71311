import { describeResult, PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { type DisputeOption, renderDisputeOption } from "@/components/disputes/dispute-option";
import { type KeyFigure, KeyFigures } from "@/components/site/key-figures";
import { Term } from "@/components/site/term";
import { formatDay, formatPercent, formatUsdc } from "@/components/ui/format";
import { TransactionHash } from "@/components/ui/hex";
import { Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import type { Dispute } from "@/server/disputes/schema";
import type { EscrowJobView } from "@/server/escrows/schema";
import type { OutcomeEffects } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { BackingMark } from "./backing-mark";
import { describeEscrow } from "./outcome-notes";
import { describeConfirmation, getResult, getVerdict, nameResult } from "./result";
import { describeMove } from "./score-move";
import { VerdictMark } from "./verdict-mark";

interface Props {
  outcome: PublicOutcome;
  dispute: Dispute | null;
  effects: OutcomeEffects;
  /** Points by all records of the outcome; null before its verdict. */
  effect: number | null;
  option: DisputeOption;
  /** The newest job of an escrow that holds or held its price. */
  escrowJob: EscrowJobView | undefined;
  explorerUrl: string | null;
}

/** Shows the verdict, its effect on the score, the payment, the chance of a dispute and the record. */
export function OutcomeFigures({ outcome, dispute, effects, effect, ...props }: Props) {
  const { option, escrowJob, explorerUrl } = props;
  const { backing, changes } = effects;
  // The score may have moved for other reasons between two changes.
  const only = changes.length === 1 ? changes[0] : undefined;
  const figures: KeyFigure[] = [
    {
      label: "Verdict",
      value: <VerdictMark verdict={getResult(outcome)} large />,
      note: dispute ? describeDispute(outcome, dispute) : describeVerdict(outcome),
    },
    {
      label: "Effect on the score",
      value:
        effect === null ? <span className="text-muted">Pending</span> : <Points points={effect} />,
      note: isCountedLater(outcome)
        ? `Counts from ${formatDay(outcome.countsFrom ?? "")}`
        : only && describeMove(only),
    },
    {
      label: "Value",
      value: formatUsdc(outcome.valueUsdc),
      note:
        escrowJob && outcome.paidUsdc === 0
          ? describeEscrow(escrowJob)
          : describePayment(outcome, backing),
    },
    ...(dispute ? [] : [{ label: "Dispute", ...renderDisputeOption(option) }]),
    ...(outcome.onChainTx ? [describeRecord(outcome, outcome.onChainTx, explorerUrl)] : []),
  ];
  return <KeyFigures figures={figures} />;
}

/** Whether a failure lowers the score only later, unless its payment is returned until then. */
const isCountedLater = ({ countsFrom, refund }: PublicOutcome) =>
  countsFrom !== undefined && !refund && Date.parse(countsFrom) > Date.now();

/** Shows when the verdict was recorded, and the transaction that did it. */
const describeRecord = (
  { resolvedAt }: PublicOutcome,
  onChainTx: string,
  explorerUrl: string | null,
): KeyFigure => ({
  label: "Recorded on chain",
  value: formatDay(resolvedAt ?? ""),
  note: (
    <TransactionHash value={onChainTx} name="transaction hash" explorerUrl={explorerUrl} brief />
  ),
});

function describeVerdict(outcome: PublicOutcome) {
  const { verdict, llmConfidence = 0 } = outcome;
  const judged = getVerdict(outcome);
  if (judged !== getResult(outcome)) return `It was ${nameResult(judged ?? verdict)}`;
  if (judged === "NOT_ASSESSED") return "No weight in the score";
  return (
    verdict && (
      <>
        {formatPercent(llmConfidence)} <Term>confidence</Term>
      </>
    )
  );
}

/** Says what a dispute did to the verdict. */
function describeDispute({ verdict }: PublicOutcome, dispute: Dispute) {
  const { disputeId, openedBy, recordedVerdict, finalVerdict, resolvedAt } = dispute;
  const isOverturned = resolvedAt !== undefined && finalVerdict !== recordedVerdict;
  return (
    <>
      {isOverturned && `It was ${nameResult(verdict)}. `}
      <TextLink href={`/disputes/${disputeId}`}>
        {resolvedAt
          ? `${describeResult(dispute)} ${formatDay(resolvedAt)}`
          : `Disputed by the ${PARTY_NAMES[openedBy]}`}
      </TextLink>
    </>
  );
}

function describePayment(
  { paidUsdc, paymentTxHash, valueUsdc, refund, clientConfirmed, evidence }: PublicOutcome,
  backing: OutcomeEffects["backing"],
) {
  if (refund) return refund.status === "recorded" ? "Refunded" : "Refund being recorded";
  const confirmation = describeConfirmation(clientConfirmed);
  if (paymentTxHash && paidUsdc === 0) return "A chain reorg removed the payment";
  return (
    <>
      <BackingMark backing={backing} hasMeaning />
      {paidUsdc > 0 && paidUsdc !== valueUsdc && ` (${formatUsdc(paidUsdc)})`}
      {confirmation && `, ${confirmation}`}
      {evidence?.x402Receipt && (
        <span className="block">Sale confirmed by the contractor's signature</span>
      )}
    </>
  );
}
