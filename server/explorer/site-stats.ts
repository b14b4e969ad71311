import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { TIERS } from "@/server/lib/schema";
import { fromMicro } from "@/server/lib/usdc";
import { runPrepared } from "./run-sql";
import type { SiteStats } from "./schema";

const MAX_NEWEST = 8;

/**
 * Returns exact counts and the most recently recorded verdicts. Every visit to the home page
 * requests this, so the result is shared for a second.
 */
export const readSiteStats = (db: Database) => getCachedStats(db)();

const getCachedStats = prepareOnce<Database, () => Promise<SiteStats>>((db) => {
  const cached = cacheLoads<SiteStats>({ ttlMs: 1_000, max: 1 });
  return () => cached("stats", () => queryStats(db));
});

async function queryStats(db: Database): Promise<SiteStats> {
  const [[counts], newest] = await Promise.all([queryCounts(db), queryNewest(db)]);
  if (!counts) throw new Error("the counts have no row");
  return { ...counts, newest: newest.map(toVerdict) };
}

/** Key and sum of each tier. */
const TIER_COUNTS = sql.join(
  TIERS.map(
    (tier) => sql`${sql.raw(`'${tier}'`)}, coalesce(sum(agents) filter (
      where tier = ${sql.raw(`'${tier}'`)}), 0)::int`,
  ),
  sql`, `,
);

/**
 * Counts without scanning the counted rows: ledger records are numbered without gaps, nearly all of
 * them are outcomes, and few outcomes are pending.
 */
function queryCounts(db: Database) {
  return runPrepared<Omit<SiteStats, "newest">>(
    db,
    sql`
    select
      agents, scored, tiers, records - others + waiting as outcomes, waiting,
      records - others as recorded, disputes
    from
      (select coalesce(sum(agents), 0)::int as agents,
          coalesce(sum(agents) filter (where tier <> 'UNRANKED'), 0)::int as scored,
          json_build_object(${TIER_COUNTS}) as tiers
        from explorer_counts where category = '*') as registered,
      (select coalesce(max(seq), 0)::int as records from ledger_records) as ledger,
      (select count(*)::int as others, count(*) filter (where type = 'dispute')::int as disputes
        from ledger_records where type <> 'outcome') as rare,
      (select count(*)::int as waiting from outcomes where status = 'EVALUATING') as open`,
  );
}

type Verdict = SiteStats["newest"][number];
type VerdictRow = Omit<Verdict, "valueUsdc" | "paidUsdc" | "resolvedAt"> & {
  value: string | bigint;
  paid: string | bigint;
  resolvedAt: string | Date;
};

function queryNewest(db: Database) {
  return runPrepared<VerdictRow>(
    db,
    sql`
    select outcome.id as "outcomeId", task_category as "taskCategory", verdict,
      final_verdict as "finalVerdict", value_micro as value, paid_micro as paid,
      resolved_at as "resolvedAt", coalesce(judge_kind = 'heuristic', false) as "byBuiltin",
      outcome.simulated,
      json_build_object('walletAddress', outcome.contractor, 'name', contractor.name) as contractor,
      json_build_object('walletAddress', outcome.requester, 'name', requester.name) as requester
    from (
      select seq, outcome_id from ledger_records where type = 'outcome'
      order by seq desc limit ${MAX_NEWEST}
    ) as record
      join outcomes as outcome on outcome.id = record.outcome_id
      left join explorer_entries as contractor on contractor.wallet = outcome.contractor
      left join explorer_entries as requester on requester.wallet = outcome.requester
    order by seq desc`,
  );
}

function toVerdict({ value, paid, resolvedAt, ...verdict }: VerdictRow): Verdict {
  return {
    ...verdict,
    valueUsdc: fromMicro(BigInt(value)),
    paidUsdc: fromMicro(BigInt(paid)),
    resolvedAt: new Date(resolvedAt).toISOString(),
  };
}
