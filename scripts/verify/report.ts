import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import { describeRecord } from "@/server/chain/registry/describe-record";
import type { Difference } from "@/server/explorer/compare-with-ledger";

/** Formats the differences by subject, followed by the records that the ledger's values come from. */
export function formatDifferences(differences: Difference[]): string {
  const bySubject = new Map<string, Difference[]>();
  for (const difference of differences) {
    const { subject } = difference;
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), difference]);
  }
  return [...bySubject]
    .map(([subject, group]) =>
      [
        subject,
        ...group.map(({ field, shown, expected }) => {
          const prefix = field ? `${field}: ` : "";
          return `  ${prefix}the service says ${formatValue(shown)}, the ledger ${formatValue(expected)}`;
        }),
        ...sortBySeq(group[0]?.records ?? []).map((placed) => `    ${formatRecord(placed)}`),
      ].join("\n"),
    )
    .join("\n\n");
}

const sortBySeq = (records: PlacedRecord[]) =>
  records.toSorted((a, b) => a.place.seq - b.place.seq);

function formatRecord({ record, place }: PlacedRecord): string {
  return `record ${place.seq}  ${describeRecord(record)}  transaction ${place.txHash}, log ${place.logIndex}`;
}

const formatValue = (value: unknown) =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");

/**
 * Returns a function that draws a progress bar on standard error, in place; it prints nothing if
 * that is not a terminal.
 */
export function createProgressBar(label: string): (done: number, all: number) => void {
  let drawn = -1;
  return (done, all) => {
    const percent = all === 0 ? 100 : Math.floor((100 * done) / all);
    if (!process.stderr.isTTY || percent === drawn) return;
    drawn = percent;
    const filled = Math.round(percent / 4);
    const bar = "#".repeat(filled) + ".".repeat(25 - filled);
    process.stderr.write(`\r  ${label.padEnd(10)} [${bar}] ${String(percent).padStart(3)}%`);
    if (percent === 100) process.stderr.write("\r\x1b[K");
  };
}
