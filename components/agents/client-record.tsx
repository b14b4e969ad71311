import { formatCount } from "@/components/ui/format";
import type { ClientRecord } from "@/server/agreements/schema";

/** Says how a wallet paid for the work that it ordered, and lists the counts that are no judgement. */
export function ClientRecordFacts({ record }: { record: ClientRecord }) {
  const { summary, leftUnpaid, expired, refunded } = record;
  const rest = [
    expired > 0 && `${formatCount(expired, "agreement")} expired before an upfront payment`,
    refunded > 0 && `${formatCount(refunded, "payment")} returned`,
  ].filter((text) => text !== false);
  return (
    <>
      <p className={leftUnpaid ? "font-medium text-bad" : ""}>{summary}</p>
      {rest.length > 0 && <p className="mt-2 text-sm text-muted">{rest.join(", ")}.</p>}
    </>
  );
}
