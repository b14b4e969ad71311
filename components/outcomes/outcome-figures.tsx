import { describeResult } from "@/components/disputes/describe-dispute";
import { type DisputeOption, renderDisputeOption } from "@/components/disputes/dispute-option";
import { BackingMark } from "@/components/network/backing-mark";
import { formatDay, formatPercent, formatUsdc } from "@/components/ui/format";
import { type KeyFigure, KeyFigures } from "@/components/ui/key-figures";
import { formatPoints, Points } from "@/components/ui/points";
import type { Dispute } from "@/server/disputes/schema";
import type { OutcomeEffects } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { describeConfirmation, RESULT_LABELS } from "./result";
import { describeMove, getEffect } from "./score-moves";
import { VerdictMark } from "./verdict-mark";

interface Props {
  outcome: PublicOutcome;
  dispute: Dispute | null;
  effects: OutcomeEffects;
  /** Points by all records of the outcome; null before its verdict. */
  effect: number | null;
  option: DisputeOption;
}

/** Shows the verdict, the effect on the score, the payment and the chance of a dispute. */
export function OutcomeFigures({ outcome, dispute, effects, effect, option }: Props) {
  const { backing, changes } = effects;
  const figures: KeyFigure[] = [
    ...(dispute ? listDisputedVerdicts(outcome, dispute) : [describeVerdict(outcome)]),
    {
      label: "Effect on the score",
      value:
        effect === null ? <span className="text-muted">Pending</span> : <Points points={effect} />,
      note: describeMoves(changes),
    },
    {
      label: "Value",
      value: formatUsdc(outcome.valueUsdc),
      note: describePayment(outcome, backing),
    },
    { label: "Dispute", ...renderDisputeOption(option) },
  ];
  return <KeyFigures figures={figures} />;
}

function describeVerdict(outcome: PublicOutcome): KeyFigure {
  const { verdict, llmConfidence, superseded } = outcome;
  return {
    label: "Verdict",
    value: <VerdictMark verdict={superseded ? "SUPERSEDED" : verdict} large />,
    note: superseded
      ? describeSuperseded(outcome)
      : verdict && `${formatPercent(llmConfidence ?? 0)} confidence`,
  };
}

const describeSuperseded = ({ verdict }: PublicOutcome) =>
  verdict ? `It was ${RESULT_LABELS[verdict].toLowerCase()}` : "Being judged";

function listDisputedVerdicts(outcome: PublicOutcome, dispute: Dispute): KeyFigure[] {
  const { finalVerdict, resolvedAt } = dispute;
  return [
    { ...describeVerdict(outcome), label: "Original verdict" },
    {
      label: "Final verdict",
      value: finalVerdict ? (
        <VerdictMark verdict={finalVerdict} large />
      ) : (
        <span className="text-muted">Pending</span>
      ),
      note:
        finalVerdict && resolvedAt
          ? `${describeResult(dispute)} ${formatDay(resolvedAt)}`
          : "The original verdict applies until then",
    },
  ];
}

/** Shows the score before and after one change, or the effect of each of several. */
function describeMoves(changes: OutcomeEffects["changes"]): string | undefined {
  const [first, second] = changes;
  if (!first) return undefined;
  if (second) return changes.map((change) => formatPoints(getEffect(change))).join(", then ");
  return describeMove(first);
}

function describePayment(
  { paidUsdc, paymentTxHash, valueUsdc, refund, clientConfirmed }: PublicOutcome,
  backing: OutcomeEffects["backing"],
) {
  if (refund) return refund.status === "recorded" ? "Refunded" : "Refund being recorded";
  const confirmation = describeConfirmation(clientConfirmed);
  if (paymentTxHash && paidUsdc === 0) return "A chain reorg removed the payment";
  return (
    <>
      <BackingMark backing={backing} />
      {paidUsdc > 0 && paidUsdc !== valueUsdc && ` (${formatUsdc(paidUsdc)})`}
      {confirmation && `, ${confirmation}`}
    </>
  );
}
