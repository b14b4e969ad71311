import { formatAmount, formatPercent } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { JudgeInService } from "@/server/judging/schema";
import type { FirstContact } from "@/server/pages/schema";
import { nameSet } from "./set-names";

/** Returns the first contacts of a judge with blind sets, whatever its version then. */
export const findContacts = (judge: JudgeInService, contacts: readonly FirstContact[]) =>
  contacts.filter(({ judge: { kind, id } }) =>
    judge.kind === "heuristic" ? kind === "heuristic" : id === judge.id,
  );

/** Shows what the judge got right over all blind sets, if it met any. */
export function AverageRates({ contacts }: { contacts: readonly FirstContact[] }) {
  const [accepted, rejected] = [averageRate(contacts, "tpr"), averageRate(contacts, "tnr")];
  if (accepted === null || rejected === null) return null;
  return (
    <>
      <dl className="grid max-w-md grid-cols-2 gap-4 text-sm">
        <div>
          <dt className="text-muted">Good work accepted</dt>
          <dd className="font-serif text-3xl font-semibold">{formatPercent(accepted)}</dd>
        </div>
        <div>
          <dt className="text-muted">Bad work rejected</dt>
          <dd className="font-serif text-3xl font-semibold">{formatPercent(rejected)}</dd>
        </div>
      </dl>
      <p className="mt-1 text-sm text-muted">
        Of {formatAmount(contacts.reduce((sum, { n }) => sum + n, 0))} deliverables written without
        knowing the checks. Only the first result on a set counts.
      </p>
    </>
  );
}

/** Returns a share over all deliverables of the sets, or null if there are none. */
export function averageRate(contacts: readonly FirstContact[], rate: "tpr" | "tnr"): number | null {
  const measured = contacts.flatMap(({ n, [rate]: value }) =>
    value === null ? [] : [{ n, value }],
  );
  const total = measured.reduce((sum, { n }) => sum + n, 0);
  return total === 0 ? null : measured.reduce((sum, { n, value }) => sum + n * value, 0) / total;
}

const NUMBER = "py-2 pl-3 text-right";
/** Of a column that a phone has no room for. */
const WIDE = `${NUMBER} max-sm:hidden`;
const formatRate = (rate: number | null) => (rate === null ? "not measured" : formatPercent(rate));

/** Lists what the judge achieved on each blind set when it first met it. */
export function FirstContacts({ contacts }: { contacts: readonly FirstContact[] }) {
  if (contacts.length === 0) {
    return (
      <p className="rounded-md bg-notice px-4 py-3 text-notice-ink">
        <span className="font-medium">Not measured:</span> this judge has not met work that was
        written without knowing its checks.
      </p>
    );
  }
  return (
    <>
      <AverageRates contacts={contacts} />
      <Table
        caption="First contact with blind sets"
        className="mt-4 text-sm"
        rows={contacts}
        columns={[
          ["Set", "py-2 pr-3 text-left", ({ set }) => nameSet(set)],
          ["Deliverables", WIDE, ({ n }) => formatAmount(n)],
          ["Good accepted", NUMBER, ({ tpr }) => formatRate(tpr)],
          ["Bad rejected", NUMBER, ({ tnr }) => formatRate(tnr)],
          ["Assessed", NUMBER, ({ decided }) => formatPercent(decided)],
          ["Confidence off by", WIDE, ({ ece }) => formatRate(ece)],
          ["Version", WIDE, ({ judge }) => judge.version],
        ]}
      />
    </>
  );
}
