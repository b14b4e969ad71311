import { sql } from "drizzle-orm";
import { runPrepared } from "@/server/explorer/run-sql";
import type { Database } from "@/server/lib/context";
import { formatUsdc, fromMicro } from "@/server/lib/usdc";
import { isClientConfirmed } from "@/server/outcomes/client-confirmed";
import { MIN_PAYMENT_MICRO } from "@/server/reputation/score/weigh-outcome";
import { type ClientConfirmed, MAX_CONFIRMED_SCAN } from "./schema";

interface Row {
  submittedBy: "contractor" | "requester";
  outcomes: number;
  micro: string;
}

/** Returns how much of a contractor's newest paid outcomes that count was confirmed by clients. */
export async function readClientConfirmed(
  db: Database,
  walletAddress: string,
): Promise<ClientConfirmed> {
  const rows = await runPrepared<Row>(
    db,
    sql`
    select submitted_by as "submittedBy", count(*)::int as outcomes, sum(paid_micro)::text as micro
    from (
      select * from outcomes where contractor = ${walletAddress} and status = 'RESOLVED'
      order by submitted_at desc nulls last limit ${sql.raw(String(MAX_CONFIRMED_SCAN))}
    ) as outcomes
    where paid_micro >= ${String(MIN_PAYMENT_MICRO)}::bigint and superseded_by is null
      and not exists (select from refunds where refunds.outcome_id = outcomes.id)
      and (proven or not exists (
        select from takeovers where at > resolved_at and takeovers.wallet =
          case submitted_by when 'contractor' then contractor else requester end
      ))
    group by submitted_by`,
  );
  return summarizeConfirmed(rows);
}

/** Adds up groups of paid outcomes that count, by their submitter. */
export function summarizeConfirmed(rows: Row[]): ClientConfirmed {
  const [confirmed, paid] = [sumRows(rows.filter(isClientConfirmed)), sumRows(rows)];
  const share = `Clients confirmed ${confirmed.outcomes} of ${paid.outcomes} paid outcomes (${formatUsdc(confirmed.usdc)} of ${formatUsdc(paid.usdc)} USDC).`;
  const rest = " Only the agent says what the other payments were for.";
  const summary = confirmed.outcomes < paid.outcomes ? share + rest : share;
  return { ...confirmed, paidOutcomes: paid.outcomes, paidUsdc: paid.usdc, summary };
}

const sumRows = (rows: Row[]) => ({
  outcomes: rows.reduce((sum, { outcomes }) => sum + outcomes, 0),
  usdc: fromMicro(rows.reduce((sum, { micro }) => sum + BigInt(micro), 0n)),
});
