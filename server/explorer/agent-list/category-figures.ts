import { inArray, sql } from "drizzle-orm";
import { runPlanned } from "@/server/explorer/run-sql";
import type { LeaderboardRow } from "@/server/explorer/schema";
import { BACKING } from "@/server/explorer/wallet-outcomes";
import type { Database } from "@/server/lib/context";
import type { Category } from "@/server/lib/schema";
import { POLICY } from "@/server/reputation/policy";

type CategoryFigures = NonNullable<LeaderboardRow["categoryFigures"]>;

interface FiguresRow {
  wallet: string;
  outcomes: number;
  confirmed: number;
  successes: number;
  clients: number;
}

/**
 * Returns a lookup of what contractors did in one category, by wallet. Reads each wallet's outcomes
 * along their index, so the cost grows with the history of the wallets on one page.
 */
export async function readCategoryFigures(
  db: Database,
  wallets: string[],
  category: Category,
): Promise<(wallet: string) => CategoryFigures | undefined> {
  if (wallets.length === 0) return () => undefined;
  const rows = await runPlanned<FiguresRow>(
    db,
    sql`
    select contractor as wallet, count(*)::int as outcomes,
      count(*) filter (where counted)::int as confirmed,
      count(*) filter (where counted and final_verdict = 'SUCCESS')::int as successes,
      count(distinct requester) filter (where backing <> 'claimed')::int as clients
    from (
      select contractor, requester, final_verdict, ${BACKING} as backing, ${COUNTED} as counted
      from outcomes
      where ${inArray(sql`contractor`, wallets)} and task_category = ${category}
        and status = 'RESOLVED'
    ) as own
    group by contractor`,
  );
  const byWallet = new Map(rows.map((row) => [row.wallet, row]));
  return (wallet) => {
    const row = byWallet.get(wallet);
    if (!row) return undefined;
    const { outcomes, confirmed, successes, clients } = row;
    return {
      outcomes,
      successRate: confirmed === 0 ? null : Math.floor((successes * 10_000) / confirmed) / 10_000,
      confirmedClients: clients,
    };
  };
}

const MIN_PAYMENT_MICRO = sql.raw(String(POLICY.minPaymentUsdc * 1_000_000));

/** The rule for `counted` of `weighOutcome` in SQL, over `outcomes`: it takes part in the rates. */
export const COUNTED = sql`(
  (submitted_by = 'contractor' or paid_micro >= ${MIN_PAYMENT_MICRO})
  and contractor <> requester
  and superseded_tx is null
  and not exists (
    select from refunds where refunds.outcome_id = outcomes.id and refunded_at is not null
  )
  and (proven or not exists (
    select from ledger_records
    where type = 'takeover'
      and ledger_records.wallet =
        case submitted_by when 'contractor' then outcomes.contractor else outcomes.requester end
      and (record->>'at')::bigint > extract(epoch from date_trunc('second', resolved_at))
  ))
)`;
