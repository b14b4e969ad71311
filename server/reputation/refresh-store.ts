import { type SQL, sql } from "drizzle-orm";
import { pipeline } from "@/server/db/pipeline";
import type { Transaction } from "@/server/lib/context";
import { whereAnnounced } from "./queries";
import type { RefreshedChunk } from "./refresh-chunk";
import { reputationHistory, reputations } from "./tables";

/** Reads the reputations of locked wallets that `whereStale` selects, as `refreshChunk` needs them. */
export async function readChunk(
  tx: Transaction,
  wallets: string[],
  whereStale: SQL | undefined,
): Promise<string> {
  const [row] = await tx.execute<{ chunk: string }>(sql`
    select coalesce(json_agg(json_build_object(
      'stored', json_build_object('wallet', wallet, 'scoreE4', score_e_4, 'tier', tier,
        'totalOutcomes', total_outcomes, 'confirmedOutcomes', confirmed_outcomes,
        'assessedOutcomes', assessed_outcomes,
        'successRateE4', success_rate_e_4, 'disputeRateE4', dispute_rate_e_4,
        'categoryScoresE4', category_scores_e_4, 'breakdown', breakdown, 'version', version,
        'scoreDay', score_day, 'lastUpdated', last_updated, 'simulated', simulated),
      'announced', (
        select json_build_object('scoreE4', score_e_4, 'at', at) from ${reputationHistory}
        where ${reputationHistory.wallet} = ${reputations.wallet} and ${whereAnnounced}
        order by version desc limit 1
      ),
      'rows', case when (totals->>'version')::int = version then (
        select coalesce(json_agg(json_build_array(requester, category, backing, reported, day,
          good::text, bad::text, outcomes, counted, assessed, successes, disputed)), '[]')
        from evidence where evidence.wallet = ${reputations.wallet}
      ) end
    ))::text, '[]') as chunk
    from ${reputations}
    where wallet = any(${sql.param(wallets)}::char(42)[]) and ${whereStale}`);
  return row?.chunk ?? "[]";
}

/**
 * Stores a refreshed chunk. No instance is notified: cached reputations of an earlier day are not
 * used, and those of the new day are equal to the stored ones.
 */
export async function storeChunk(
  tx: Transaction,
  { rows, history }: RefreshedChunk,
  now: Date,
): Promise<void> {
  await pipeline(tx, [
    () =>
      tx.execute(sql`
      update ${reputations} as known set
        score_e_4 = "scoreE4", tier = fresh.tier, total_outcomes = "totalOutcomes",
        confirmed_outcomes = "confirmedOutcomes", assessed_outcomes = "assessedOutcomes",
        success_rate_e_4 = "successRateE4",
        dispute_rate_e_4 = "disputeRateE4", category_scores_e_4 = "categoryScoresE4",
        breakdown = fresh.breakdown, version = fresh.version, score_day = "scoreDay",
        totals = fresh.totals, last_updated = case
          when known.version = fresh.version then known.last_updated
          else ${now.toISOString()}::timestamptz end
      from json_to_recordset(${rows}::json) as fresh(
        wallet char(42), "scoreE4" int, tier text, "totalOutcomes" int, "confirmedOutcomes" int, "assessedOutcomes" int,
        "successRateE4" int, "disputeRateE4" int, "categoryScoresE4" jsonb, breakdown jsonb,
        version int, "scoreDay" date, totals jsonb)
      where known.wallet = fresh.wallet`),
    () =>
      history !== null &&
      tx.execute(sql`
        insert into ${reputationHistory}
          (wallet, version, at, cause, score_e_4, previous_score_e_4, tier, total_outcomes, receipt)
        select wallet, version, at, cause, "scoreE4", "previousScoreE4", tier, "totalOutcomes", receipt
        from json_to_recordset(${history}::json) as entry(
          wallet char(42), version int, at timestamptz, cause text, "scoreE4" int,
          "previousScoreE4" int, tier text, "totalOutcomes" int, receipt jsonb)`),
  ]);
}
