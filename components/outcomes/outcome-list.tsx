import { formatDay, formatUsdc, shortenHex } from "@/components/ui/format";
import type { ListedOutcome, Names } from "@/server/explorer/schema";
import { type OutcomeRow, OutcomeRows } from "./outcome-rows";
import { getResult } from "./result";

interface Props {
  outcomes: ListedOutcome[];
  wallet: string;
  /** Names of the registered parties. */
  names: Names;
}

/** Lists outcomes from one wallet's perspective: its role, the other party and the verdict. */
export function OutcomeList({ outcomes, wallet, names }: Props) {
  return <OutcomeRows rows={outcomes.map((outcome) => formatRow(outcome, wallet, names))} />;
}

/** Returns what a row shows, since the public facts of an outcome are many times as long. */
function formatRow(outcome: ListedOutcome, wallet: string, names: Names): OutcomeRow {
  const { verdict, finalVerdict, refund, disputeId } = outcome;
  const result = getResult(outcome);
  const isContractor = outcome.contractorAgentAddress === wallet;
  const other = isContractor ? outcome.requesterAgentAddress : outcome.contractorAgentAddress;
  const state = refund
    ? "Refunded"
    : finalVerdict !== verdict
      ? "Overturned"
      : disputeId
        ? "Disputed"
        : null;
  return {
    id: outcome.outcomeId,
    category: outcome.taskCategory,
    other: names[other] ?? shortenHex(other),
    backing: outcome.backing,
    value: formatUsdc(outcome.valueUsdc),
    day: formatDay(outcome.submittedAt),
    ...(isContractor ? {} : { isClient: true }),
    ...(result ? { result } : {}),
    ...(outcome.clientConfirmed === undefined ? {} : { isConfirmed: outcome.clientConfirmed }),
    ...(state ? { state } : {}),
  };
}
