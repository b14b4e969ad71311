import { KeyFigures } from "@/components/site/key-figures";
import { formatAmount, formatCount, formatUsdc } from "@/components/ui/format";
import type { ClientRecord } from "@/server/agreements/schema";

/** Shows how a wallet paid for the work that it ordered, and lists the counts that are no judgement. */
export function ClientRecordFacts({ record }: { record: ClientRecord }) {
  const { summary, ordered, paid, leftUnpaid, disputesLost, expired, refunded } = record;
  if (ordered === 0 && leftUnpaid === null) return <p className="text-muted">{summary}</p>;
  const rest = [
    expired > 0 && `${formatCount(expired, "agreement")} expired before an upfront payment`,
    refunded > 0 && `${formatCount(refunded, "payment")} returned`,
  ].filter((text) => text !== false);
  return (
    <>
      <KeyFigures
        figures={[
          {
            label: "Paid",
            value: `${formatAmount(paid)} of ${formatCount(ordered, "job")}`,
            note: formatUsdc(record.paidUsdc),
          },
          {
            label: "Left unpaid",
            value: leftUnpaid ? (
              <span className="text-bad">{formatAmount(leftUnpaid)}</span>
            ) : (
              (leftUnpaid ?? "–")
            ),
            note: leftUnpaid ? formatUsdc(record.leftUnpaidUsdc ?? 0) : "of jobs under terms",
          },
          { label: "Disputes lost", value: formatAmount(disputesLost), note: "as a client" },
        ]}
      />
      {rest.length > 0 && <p className="mt-3 text-sm text-muted">{rest.join(", ")}.</p>}
    </>
  );
}
