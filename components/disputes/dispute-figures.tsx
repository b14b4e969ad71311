import { getRecordedResult } from "@/components/outcomes/result";
import { describeMove, explainNoEffect, getMove } from "@/components/outcomes/score-move";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { KeyFigures } from "@/components/site/key-figures";
import { formatDay, formatTime, formatUsdc } from "@/components/ui/format";
import { Points } from "@/components/ui/points";
import type { Dispute } from "@/server/disputes/schema";
import type { OutcomeEffects } from "@/server/explorer/schema";
import { explainUnassessed } from "./describe-dispute";

interface Props {
  dispute: Dispute;
  effects: OutcomeEffects;
  valueUsdc: number;
}

/** Says when a dispute was decided, or what applies until then, its effect, and what it is about. */
export function DisputeFigures({ dispute, effects, valueUsdc }: Props) {
  const { resolvedAt } = dispute;
  const change = effects.changes.find(({ disputeId }) => disputeId === dispute.disputeId);
  return (
    <KeyFigures
      figures={[
        resolvedAt
          ? {
              label: "Decided",
              value: formatDay(resolvedAt),
              note: [formatTime(resolvedAt), explainUnassessed(dispute)].filter(Boolean).join(". "),
            }
          : {
              label: "Verdict",
              value: <VerdictMark verdict={getRecordedResult(dispute)} large />,
              note: "Applies until the dispute is decided",
            },
        {
          label: "Effect on the score",
          value: change ? (
            <Points points={getMove([change])} />
          ) : (
            <span className="text-muted">Pending</span>
          ),
          note: change && (explainNoEffect([change]) ?? describeMove(change)),
        },
        { label: "Value", value: formatUsdc(valueUsdc) },
      ]}
    />
  );
}
