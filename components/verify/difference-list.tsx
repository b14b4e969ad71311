import { shortenHex } from "@/components/ui/format";
import { describeRecord } from "@/server/chain/registry/describe-record";
import type { Difference, PlacedRecord } from "./verify-wallet";

/** Lists differences by subject, each with the values of both sides and the records behind them. */
export function DifferenceList({ differences }: { differences: Difference[] }) {
  const bySubject = Map.groupBy(differences, ({ subject }) => subject);
  return (
    <ul className="mt-6 grid gap-6">
      {[...bySubject].map(([subject, group]) => (
        <li key={subject} className="min-w-0">
          <h3 className="font-medium break-words">{capitalizeFirst(subject)}</h3>
          <table className="mt-2 w-full border-collapse text-sm">
            <thead>
              <tr className="border-b border-line text-left text-muted">
                <th className="py-1.5 pr-4 font-normal">Field</th>
                <th className="py-1.5 pr-4 font-normal">Service</th>
                <th className="py-1.5 font-normal">Ledger</th>
              </tr>
            </thead>
            <tbody>
              {group.map(({ field, shown, expected }) => (
                <tr key={field} className="border-b border-line align-top">
                  <th scope="row" className="py-2 pr-4 text-left font-normal">
                    {field || "all"}
                  </th>
                  <td className="py-2 pr-4 break-all text-bad">{formatValue(shown)}</td>
                  <td className="py-2 break-all">{formatValue(expected)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Records records={group[0]?.records ?? []} />
        </li>
      ))}
    </ul>
  );
}

/** Lists the ledger records that the expected values come from. */
function Records({ records }: { records: PlacedRecord[] }) {
  if (records.length === 0) return null;
  return (
    <details className="mt-2 text-sm">
      <summary className="min-h-6 cursor-pointer text-accent">
        {records.length === 1 ? "1 record" : `${records.length} records`}
      </summary>
      <ul className="mt-1 max-h-72 overflow-y-auto">
        {records
          .toSorted((a, b) => a.place.seq - b.place.seq)
          .map((placed) => (
            <li key={placed.place.seq} className="py-1 break-words text-muted">
              <span className="text-ink">#{placed.place.seq}</span> {describeRecord(placed.record)},
              transaction <code title={placed.place.txHash}>{shortenHex(placed.place.txHash)}</code>
            </li>
          ))}
      </ul>
    </details>
  );
}

const formatValue = (value: unknown) =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");

const capitalizeFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
