import { describeResult, PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { type DisputeOption, renderDisputeOption } from "@/components/disputes/dispute-option";
import { type KeyFigure, KeyFigures } from "@/components/site/key-figures";
import {
  formatDateTime,
  formatDay,
  formatPercent,
  formatTime,
  formatUsdc,
} from "@/components/ui/format";
import { Hex, TransactionHash } from "@/components/ui/hex";
import { Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import type { Dispute } from "@/server/disputes/schema";
import type { EscrowJobView } from "@/server/escrows/schema";
import type { OutcomeEffects } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { BackingMark } from "./backing-mark";
import { describeEscrow } from "./outcome-notes";
import { describeConfirmation, getFinalResult, getRecordedResult, nameResult } from "./result";
import { describeMove, explainNoEffect } from "./score-move";

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

/** Shows how sure the verdict is, its effect on the score, the payment, the dispute and the record. */
export function OutcomeFigures({ outcome, dispute, effects, effect, ...props }: Props) {
  const { option, escrowJob, explorerUrl } = props;
  const { changes } = effects;
  // The score may have moved for other reasons between two changes.
  const only = changes.length === 1 ? changes[0] : undefined;
  const isLater = isCountedLater(outcome);
  const figures: KeyFigure[] = [
    ...(outcome.verdict && outcome.assessed !== false && !dispute && !outcome.refund
      ? [{ label: "Confidence", value: formatPercent(outcome.llmConfidence ?? 0) }]
      : []),
    {
      label: "Effect on the score",
      value:
        effect === null || isLater ? (
          <span className="text-muted">{isLater ? "Not yet" : "Pending"}</span>
        ) : (
          <Points points={effect} />
        ),
      note: isLater
        ? `Counts from ${formatDay(outcome.countsFrom ?? "")}`
        : (effect !== null && explainNoEffect(changes, effect)) || (only && describeMove(only)),
    },
    {
      label: "Value",
      value: formatUsdc(outcome.valueUsdc),
      note:
        escrowJob && outcome.paidUsdc === 0
          ? describeEscrow(escrowJob)
          : describePayment(outcome, effects),
    },
    ...(dispute ? [describeDispute(dispute)] : []),
    ...(dispute || outcome.refund || outcome.superseded
      ? []
      : [{ label: "Dispute", ...renderDisputeOption(option) }]),
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
    <>
      <span className="block">{formatTime(resolvedAt ?? "")}</span>
      <TransactionHash value={onChainTx} name="transaction hash" explorerUrl={explorerUrl} brief />
    </>
  ),
});

/** Says what a dispute did to the verdict. */
function describeDispute(dispute: Dispute): KeyFigure {
  const { disputeId, openedBy, resolvedAt } = dispute;
  const recorded = getRecordedResult(dispute);
  const was = getFinalResult(dispute) === recorded ? "" : `, was ${nameResult(recorded)}`;
  return {
    label: "Dispute",
    value: (
      <TextLink href={`/disputes/${disputeId}`}>
        {resolvedAt ? describeResult(dispute) : "Open"}
      </TextLink>
    ),
    note: resolvedAt
      ? `${formatDateTime(resolvedAt)}${was}`
      : `Disputed by the ${PARTY_NAMES[openedBy]}`,
  };
}

function describePayment(
  { paidUsdc, paymentTxHash, valueUsdc, clientConfirmed, evidence }: PublicOutcome,
  { backing, deliveryPaymentTxHash }: OutcomeEffects,
) {
  const confirmation = describeConfirmation(clientConfirmed);
  if (paymentTxHash && paidUsdc === 0) return "A chain reorg removed the payment";
  if (deliveryPaymentTxHash) {
    return (
      <>
        Paid after the verdict, which doesn't count for the score:{" "}
        <Hex value={deliveryPaymentTxHash} name="payment's transaction hash" brief />
      </>
    );
  }
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
