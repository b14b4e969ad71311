import { sql } from "drizzle-orm";
import type { ClientRecord } from "@/server/agreements/schema";
import type { Database } from "@/server/lib/context";
import { formatUsdc, fromMicro } from "@/server/lib/usdc";
import { WHERE_OWED } from "@/server/outcomes/search-delivery-payments";
import { MIN_PAYMENT_MICRO } from "@/server/reputation/score/weigh-outcome";
import { IS_NOT_VOID } from "./agent-figures";
import { runPrepared } from "./run-sql";

interface Row {
  ordered: number;
  paid: number;
  paidMicro: string;
  leftUnpaid: number;
  unpaidMicro: string;
  expired: number;
  refunded: number;
  disputesLost: number;
}

/** Whether the contractor or the escrow returned the payment of a row of `outcomes`. */
const IS_RETURNED = sql`(exists (select from refunds where outcome_id = outcomes.id) or exists (
  select from escrow_jobs where agreement_id = outcomes.agreement_id and status = 'rejected'))`;

/** Returns the record of any wallet as a client. */
export async function readClientRecord(db: Database, wallet: string): Promise<ClientRecord> {
  const minimum = sql.raw(String(MIN_PAYMENT_MICRO));
  const [row] = await runPrepared<Row>(
    db,
    sql`
    select count(*)::int as ordered,
      count(*) filter (where is_paid)::int as paid,
      coalesce(sum(paid) filter (where is_paid), 0)::text as "paidMicro",
      count(*) filter (where is_owed)::int as "leftUnpaid",
      coalesce(sum(value_micro) filter (where is_owed), 0)::text as "unpaidMicro",
      (select count(*)::int from outcomes where requester = ${wallet} and superseded_by is null
        and ${IS_RETURNED}) as refunded,
      (select count(*)::int from agreements where requester = ${wallet} and status = 'EXPIRED'
        and agreed_at is not null and terms->>'payment' = 'upfront') as expired,
      (select count(*)::int from disputes where requester = ${wallet} and status = 'RESOLVED'
        and verdict = 'CONTRACTOR_WINS') as "disputesLost"
    from (
      select outcomes.value_micro, greatest(outcomes.paid_micro, was_paid::int * outcomes.value_micro) as paid,
        outcomes.paid_micro >= ${minimum} or was_paid and outcomes.value_micro >= ${minimum} as is_paid,
        coalesce(${WHERE_OWED} and settled_at is null
          and delivery_payment_searched_at is not null, false) as is_owed
      from (
        select * from outcomes
        where requester = ${wallet} and status = 'RESOLVED' and ${IS_NOT_VOID} and not ${IS_RETURNED}
          and (agreed or submitted_by = 'requester' or paid_micro >= ${minimum})
      ) as outcomes
        left join agreements on agreements.id = outcomes.agreement_id
        left join escrow_jobs on escrow_jobs.agreement_id = agreements.id
        cross join lateral (
          select delivery_payment_tx_hash is not null or escrow_jobs.status = 'completed' as was_paid
        ) as found
    ) as jobs`,
  );
  if (!row) throw new Error("the database returned no record of the client");
  const { paidMicro, unpaidMicro, leftUnpaid, ...counts } = row;
  const isKnown = counts.paid > 0 || leftUnpaid > 0;
  const record = {
    ...counts,
    paidUsdc: fromMicro(BigInt(paidMicro)),
    leftUnpaid: isKnown ? leftUnpaid : null,
    leftUnpaidUsdc: isKnown ? fromMicro(BigInt(unpaidMicro)) : null,
  };
  return { summary: summarize(record), ...record };
}

/** Says in a sentence or two how a client paid. */
export function summarize(record: Omit<ClientRecord, "summary">): string {
  const { ordered, paid, paidUsdc, leftUnpaid, leftUnpaidUsdc, disputesLost } = record;
  const unpaid = `${leftUnpaid ?? 0} left unpaid (${formatUsdc(leftUnpaidUsdc ?? 0)} USDC)`;
  if (paid === 0) return `No record as a client${leftUnpaid ? `: no paid job, ${unpaid}` : ""}.`;
  const jobs = `${paid} of ${ordered} ${ordered === 1 ? "job" : "jobs"} paid (${formatUsdc(paidUsdc)} USDC)`;
  const disputes = `${disputesLost} ${disputesLost === 1 ? "dispute" : "disputes"} lost`;
  return `As a client: ${jobs}, ${leftUnpaid ? unpaid : "none left unpaid"}, ${disputes}.`;
}
