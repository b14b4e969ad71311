import { getFinalResult, getRecordedResult } from "@/components/outcomes/result";
import { describeMove, getMove } from "@/components/outcomes/score-move";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { KeyFigures } from "@/components/site/key-figures";
import { formatDay, formatUsdc } from "@/components/ui/format";
import { Points } from "@/components/ui/points";
import type { Dispute } from "@/server/disputes/schema";
import type { OutcomeEffects } from "@/server/explorer/schema";
import { describeResult } from "./describe-dispute";

interface Props {
  dispute: Dispute;
  effects: OutcomeEffects;
}

/** Compares the original verdict with the final one, with the stakes and the effect. */
export function DisputeFigures({ dispute, effects }: Props) {
  const { resolvedAt, stakes } = dispute;
  const result = getFinalResult(dispute);
  const change = effects.changes.find(({ disputeId }) => disputeId === dispute.disputeId);
  const pending = <span className="text-muted">Pending</span>;
  return (
    <KeyFigures
      figures={[
        {
          label: "Original verdict",
          value: <VerdictMark verdict={getRecordedResult(dispute)} large />,
        },
        {
          label: "Final verdict",
          value: result ? <VerdictMark verdict={result} large /> : pending,
          note: resolvedAt
            ? `${describeResult(dispute)} ${formatDay(resolvedAt)}${result === "NOT_ASSESSED" ? ", no weight in the score" : ""}`
            : "The original verdict applies until then",
        },
        {
          label: "Effect on the score",
          value: change ? <Points points={getMove([change])} /> : pending,
          note: change && describeMove(change),
        },
        {
          label: "Stakes",
          value: formatUsdc(stakes.reduce((sum, { amountUsdc }) => sum + (amountUsdc ?? 0), 0)),
          note: describeStakes(dispute),
        },
      ]}
    />
  );
}

function describeStakes({ stakes, status }: Dispute): string {
  if (status === "OPEN") return "Winner's returned, loser's forfeited";
  const describe = (isForfeited: boolean, what: string) => {
    const sum = stakes
      .filter(({ state }) => (state === "forfeited") === isForfeited)
      .reduce((total, { amountUsdc }) => total + (amountUsdc ?? 0), 0);
    return sum > 0 ? [`${formatUsdc(sum)} ${what}`] : [];
  };
  return [...describe(false, "returned"), ...describe(true, "forfeited")].join(", ");
}
