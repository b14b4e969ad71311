import { inArray, sql } from "drizzle-orm";
import { runPlanned } from "@/server/explorer/run-sql";
import type { LeaderboardRow } from "@/server/explorer/schema";
import type { Database } from "@/server/lib/context";
import type { Category } from "@/server/lib/schema";
import { POLICY } from "@/server/reputation/policy";
import { toUtcDay } from "@/server/reputation/score/weigh-outcome";

type CategoryFigures = NonNullable<LeaderboardRow["categoryFigures"]>;

interface FiguresRow {
  wallet: string;
  outcomes: number;
  confirmed: number;
  successes: number;
  clients: number;
}

/**
 * Returns a lookup of what contractors did in one category, by wallet. Reads the evidence that their
 * scores are computed from, which has few rows for many outcomes.
 */
export async function readCategoryFigures(
  db: Database,
  wallets: string[],
  category: Category,
  now: Date,
): Promise<(wallet: string) => CategoryFigures | undefined> {
  if (wallets.length === 0) return () => undefined;
  const today = toUtcDay(now.getTime() / 1000);
  // As `isInRates`: a reported failure enters the rates after its days of grace.
  const inRates = sql`not (reported and day > ${today - POLICY.graceDays})`;
  const rows = await runPlanned<FiguresRow>(
    db,
    sql`
    select wallet, sum(outcomes)::int as outcomes,
      coalesce(sum(counted) filter (where ${inRates}), 0)::int as confirmed,
      coalesce(sum(successes) filter (where ${inRates}), 0)::int as successes,
      count(distinct requester) filter (where backing <> 'claimed')::int as clients
    from evidence
    where ${inArray(sql`wallet`, wallets)} and category = ${category} and day <= ${today}
    group by wallet`,
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
