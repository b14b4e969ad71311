import { describeResult, PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { type DisputeOption, renderDisputeOption } from "@/components/disputes/dispute-option";
import { type KeyFigure, KeyFigures } from "@/components/site/key-figures";
import { Term } from "@/components/site/term";
import { formatDay, formatPercent, formatUsdc } from "@/components/ui/format";
import { Hex, TransactionHash } from "@/components/ui/hex";
import { Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import type { Dispute } from "@/server/disputes/schema";
import type { OutcomeEffects } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { POLICY } from "@/server/reputation/policy";
import { BackingMark } from "./backing-mark";
import { describeConfirmation, getFinalResult, RESULT_LABELS } from "./result";
import { describeMove } from "./score-move";
import { VerdictMark } from "./verdict-mark";

interface Props {
  outcome: PublicOutcome;
  dispute: Dispute | null;
  effects: OutcomeEffects;
  /** Points by all records of the outcome; null before its verdict. */
  effect: number | null;
  option: DisputeOption;
  explorerUrl: string | null;
}

/** Shows the verdict, its effect on the score, the payment, the chance of a dispute and the record. */
export function OutcomeFigures({ outcome, dispute, effects, effect, option, explorerUrl }: Props) {
  const { backing, changes } = effects;
  // The score may have moved for other reasons between two changes.
  const only = changes.length === 1 ? changes[0] : undefined;
  const figures: KeyFigure[] = [
    ...(dispute ? listDisputedVerdicts(outcome, dispute) : [describeVerdict(outcome)]),
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
      note: describePayment(outcome, backing),
    },
    ...(dispute ? [] : [{ label: "Dispute", ...renderDisputeOption(option) }]),
    ...(outcome.onChainTx ? [describeRecord(outcome, outcome.onChainTx, explorerUrl)] : []),
  ];
  return <KeyFigures figures={figures} />;
}

/** Whether a failure lowers the score only later, unless its payment is returned until then. */
const isCountedLater = ({ countsFrom, refund }: PublicOutcome) =>
  countsFrom !== undefined && !refund && Date.parse(countsFrom) > Date.now();

/** Shows the transaction that recorded the verdict, and the hash of the evidence in it. */
function describeRecord(
  { evidenceHash }: PublicOutcome,
  onChainTx: string,
  explorerUrl: string | null,
): KeyFigure {
  return {
    label: "Recorded on chain",
    value: (
      <TransactionHash value={onChainTx} name="transaction hash" explorerUrl={explorerUrl} brief />
    ),
    note: evidenceHash && (
      <>
        Evidence <Hex value={evidenceHash} name="evidence hash" brief />
      </>
    ),
  };
}

function describeVerdict(outcome: PublicOutcome): KeyFigure {
  const { verdict, llmConfidence, superseded } = outcome;
  const isNotAssessed = llmConfidence !== undefined && llmConfidence <= POLICY.minConfidence;
  return {
    label: "Verdict",
    value: (
      <VerdictMark
        verdict={superseded ? "SUPERSEDED" : isNotAssessed ? "NOT_ASSESSED" : verdict}
        large
      />
    ),
    note: superseded
      ? describeSuperseded(outcome)
      : isNotAssessed
        ? "No weight in the score"
        : verdict && (
            <>
              {formatPercent(llmConfidence ?? 0)} <Term>confidence</Term>
            </>
          ),
  };
}

const describeSuperseded = ({ verdict }: PublicOutcome) =>
  verdict ? `It was ${RESULT_LABELS[verdict].toLowerCase()}` : "Being judged";

function listDisputedVerdicts(outcome: PublicOutcome, dispute: Dispute): KeyFigure[] {
  const { disputeId, openedBy, resolvedAt } = dispute;
  const result = getFinalResult(dispute);
  return [
    { ...describeVerdict(outcome), label: "Original verdict" },
    {
      label: "Final verdict",
      value: result ? (
        <VerdictMark verdict={result} large />
      ) : (
        <span className="text-muted">Pending</span>
      ),
      note: (
        <TextLink href={`/disputes/${disputeId}`}>
          {resolvedAt
            ? `${describeResult(dispute)} ${formatDay(resolvedAt)}`
            : `Disputed by the ${PARTY_NAMES[openedBy]}`}
        </TextLink>
      ),
    },
  ];
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
