import { KeyFigures } from "@/components/site/key-figures";
import { formatAmount, formatPercent } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import type { JudgeInService } from "@/server/judging/schema";
import type { FirstContact } from "@/server/pages/schema";

/** Returns the first contacts of a judge with blind sets, whatever its version then. */
export const findContacts = (judge: JudgeInService, contacts: readonly FirstContact[]) =>
  contacts.filter(({ judge: { kind, id } }) =>
    judge.kind === "heuristic" ? kind === "heuristic" : id === judge.id,
  );

type Rate = "tpr" | "tnr" | "decided";

/** Returns a share over all deliverables of the sets, or null if there are none. */
export function averageRate(contacts: readonly FirstContact[], rate: Rate): number | null {
  const measured = contacts.flatMap(({ n, [rate]: value }) =>
    value === null ? [] : [{ n, value }],
  );
  const total = measured.reduce((sum, { n }) => sum + n, 0);
  return total === 0 ? null : measured.reduce((sum, { n, value }) => sum + n * value, 0) / total;
}

const formatRate = (rate: number | null) => (rate === null ? "not measured" : formatPercent(rate));
const RATES: [name: string, rate: Rate][] = [
  ["Work assessed at all", "decided"],
  ["Bad work rejected", "tnr"],
  ["Good work accepted", "tpr"],
];

/** Sums up what the judge achieved on blind sets when it first met each. */
export function FirstContacts({ contacts }: { contacts: readonly FirstContact[] }) {
  if (contacts.length === 0) {
    return (
      <Notice title="Not measured">
        This judge has not met work that was written without knowing its checks.
      </Notice>
    );
  }
  return (
    <>
      <KeyFigures
        figures={RATES.map(([label, rate]) => ({
          label,
          value: formatRate(averageRate(contacts, rate)),
          note: describeRange(contacts, rate),
        }))}
      />
      <p className="text-sm text-muted">
        The judge in service, on {formatAmount(contacts.reduce((sum, { n }) => sum + n, 0))}{" "}
        deliverables in {contacts.length} sets, written without knowing its checks. Only the first
        result on a set counts.
      </p>
    </>
  );
}

/** Says how a rate differs between the sets that measured it. */
function describeRange(contacts: readonly FirstContact[], rate: Rate) {
  const rates = contacts.flatMap(({ [rate]: value }) => value ?? []);
  return (
    rates.length > 1 &&
    `${formatRate(Math.min(...rates))} to ${formatRate(Math.max(...rates))} by set`
  );
}
