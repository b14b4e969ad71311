import { Fact } from "@/components/ui/fact";
import { formatCount, formatUsdc } from "@/components/ui/format";
import type { ClientRecord } from "@/server/agreements/schema";

/** Shows how a wallet paid for the work that it ordered. */
export function ClientRecordFacts({ record }: { record: ClientRecord }) {
  const { ordered, paid, paidUsdc, leftUnpaid, leftUnpaidUsdc, disputesLost } = record;
  const rest = listRest(record);
  return (
    <>
      {paid === 0 && <p>No record as a client</p>}
      {leftUnpaid !== null && (
        <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
          <Fact label="Jobs paid">
            {paid} of {ordered}
          </Fact>
          <Fact label="Amount paid">{formatUsdc(paidUsdc)}</Fact>
          <Fact label="Left unpaid">
            {leftUnpaid > 0 ? (
              <span className="font-medium text-bad">
                {formatCount(leftUnpaid, "job")}, {formatUsdc(leftUnpaidUsdc ?? 0)}
              </span>
            ) : (
              "None"
            )}
          </Fact>
          <Fact label="Disputes lost">{disputesLost}</Fact>
        </dl>
      )}
      {rest.length > 0 && <p className="mt-4 text-sm text-muted">{rest.join(", ")}.</p>}
    </>
  );
}

/** Lists the counts that are no judgement. */
function listRest({ awaitingPayment, expired, refunded }: ClientRecord): string[] {
  return [
    awaitingPayment > 0 && `${formatCount(awaitingPayment, "payment")} not known yet`,
    expired > 0 && `${formatCount(expired, "agreement")} expired before an upfront payment`,
    refunded > 0 && `${formatCount(refunded, "reported payment")} returned`,
  ].filter((text) => text !== false);
}
