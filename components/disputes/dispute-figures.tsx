import { AgentName } from "@/components/agents/agent-link";
import { getFinalResult, getRecordedResult, nameResult } from "@/components/outcomes/result";
import { describeMove, getMove } from "@/components/outcomes/score-move";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { KeyFigures } from "@/components/site/key-figures";
import { capitalize, formatDay, formatUsdc } from "@/components/ui/format";
import { Points } from "@/components/ui/points";
import { getWinner } from "@/server/disputes/parties";
import type { Dispute } from "@/server/disputes/schema";
import type { Names, OutcomeEffects } from "@/server/explorer/schema";
import { describeResult, PARTY_NAMES } from "./describe-dispute";

interface Props {
  dispute: Dispute;
  effects: OutcomeEffects;
  names: Names;
}

/** Says what came of a dispute: the verdict, the winner, the effect and the stakes. */
export function DisputeFigures({ dispute, effects, names }: Props) {
  const { stakes, verdict } = dispute;
  const winner = verdict && stakes.find(({ party }) => party === getWinner(verdict));
  const change = effects.changes.find(({ disputeId }) => disputeId === dispute.disputeId);
  const pending = <span className="text-muted">Pending</span>;
  return (
    <KeyFigures
      figures={[
        {
          label: "Verdict",
          value: (
            <VerdictMark verdict={getFinalResult(dispute) ?? getRecordedResult(dispute)} large />
          ),
          note: describeVerdict(dispute),
        },
        {
          label: "Winner",
          value: winner ? (
            <AgentName wallet={winner.walletAddress} name={names[winner.walletAddress]} />
          ) : (
            pending
          ),
          note: winner && capitalize(PARTY_NAMES[winner.party]),
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

/** Says what the dispute did to the verdict, or that it is not decided. */
function describeVerdict(dispute: Dispute): string {
  if (!dispute.resolvedAt) return "Applies until the dispute is decided";
  const recorded = getRecordedResult(dispute);
  const was = recorded === getFinalResult(dispute) ? "" : `, was ${nameResult(recorded)}`;
  return `${describeResult(dispute)} ${formatDay(dispute.resolvedAt)}${was}`;
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
