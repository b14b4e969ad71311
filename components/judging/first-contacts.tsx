import type { ReactNode } from "react";
import { KeyFigures } from "@/components/site/key-figures";
import { formatAmount, formatPercent } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";
import type { JudgeInService } from "@/server/judging/schema";
import type { FirstContact } from "@/server/pages/schema";
import { nameSet } from "./set-names";

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

const NUMBER = "py-2 pl-3 text-right";
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
        }))}
      />
      <p className="text-sm text-muted">
        The judge in service, on {formatAmount(contacts.reduce((sum, { n }) => sum + n, 0))}{" "}
        deliverables in {contacts.length} sets, written without knowing its checks. Only the first
        result on a set counts.
      </p>
      <Fold title="From the worst set to the best">
        <Table
          caption="First contact with sets that were written without knowing the checks"
          className="text-sm"
          rows={RATES}
          columns={[
            ["Share", "py-2 pr-3 text-left", ([name]) => name],
            ["Worst set", NUMBER, ([, rate]) => describeSet(sortBy(contacts, rate)[0], rate)],
            ["Best set", NUMBER, ([, rate]) => describeSet(sortBy(contacts, rate).at(-1), rate)],
          ]}
        />
      </Fold>
    </>
  );
}

/** Shows details on demand. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer text-sm text-muted hover:text-ink">{title}</summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}

/** Returns the sets that measured a rate, the lowest first. */
const sortBy = (contacts: readonly FirstContact[], rate: Rate) =>
  contacts
    .filter((contact) => contact[rate] !== null)
    .toSorted((a, b) => (a[rate] ?? 0) - (b[rate] ?? 0));

const describeSet = (contact: FirstContact | undefined, rate: Rate) =>
  contact && (
    <>
      {formatRate(contact[rate])}
      <small className="block text-muted">{nameSet(contact.set)}</small>
    </>
  );
