import { sql } from "drizzle-orm";
import { runPrepared } from "@/server/explorer/run-sql";
import { SERIES_RANGES } from "@/server/explorer/schema";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { CATEGORIES, type Category, TIERS } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { fromMicro } from "@/server/lib/usdc";
import type {
  NetworkCounts,
  NetworkPeriod,
  NetworkStats,
  NetworkStatsInput,
  SiteStats,
} from "./schema";

const CACHE_MS = 1_000;
/** Most periods of a range without a fixed length. */
const MAX_PERIODS = 60;
/** Lengths of a period in days: a day, a week, four weeks and a year of weeks. */
const PERIOD_DAYS = [1, 7, 28, 364] as const;
const FIXED_RANGES = {
  "30d": { periodDays: 1, periods: 30 },
  "6m": { periodDays: 7, periods: 26 },
} as const;

/**
 * Returns the network over time, from the sums by day. Shared for a second, since every visit of
 * the statistics requests it.
 */
export function readNetworkStats(
  db: Database,
  input: NetworkStatsInput,
  now: Date,
): Promise<NetworkStats> {
  const today = Math.floor(now.getTime() / DAY_MS);
  return getCachedStats(db)(JSON.stringify([input.range, input.category, today]), () =>
    computeNetworkStats(db, input, today),
  );
}

const getCachedStats = prepareOnce((_db: Database) =>
  cacheLoads<NetworkStats>({
    ttlMs: CACHE_MS,
    max: SERIES_RANGES.length * (CATEGORIES.length + 1),
  }),
);

/** Returns the network as of `today`, counted in days from 1970. */
export async function computeNetworkStats(
  db: Database,
  { range, category }: NetworkStatsInput,
  today: number,
): Promise<NetworkStats> {
  const { periodDays, periods } =
    range === "all"
      ? choosePeriods(today - (await readFirstDay(db, today)) + 1)
      : FIXED_RANGES[range];
  const rows = await querySums(db, { today, periodDays, periods });
  const own = rows.filter((row) => !category || row.category === category || row.category === "*");
  return {
    range,
    periodDays,
    total: sumRows(own),
    periods: Array.from({ length: periods }, (_, index): NetworkPeriod => {
      const back = periods - 1 - index;
      const last = today - back * periodDays;
      return {
        from: formatDay(last - periodDays + 1),
        to: formatDay(last),
        ...sumRows(own.filter((row) => row.back === back)),
      };
    }),
    categories: sumByCategory(rows),
  };
}

/** Returns the shortest periods that cover the days without being too many. */
export function choosePeriods(days: number): { periodDays: number; periods: number } {
  const longest = PERIOD_DAYS[PERIOD_DAYS.length - 1] ?? 1;
  const periodDays = PERIOD_DAYS.find((length) => days <= length * MAX_PERIODS) ?? longest;
  return { periodDays, periods: Math.max(1, Math.ceil(days / periodDays)) };
}

async function readFirstDay(db: Database, today: number): Promise<number> {
  const [first] = await runPrepared<{ day: number | null }>(
    db,
    sql`select min(day) - date '1970-01-01' as day from network_days`,
  );
  return Math.min(first?.day ?? today, today);
}

interface SumRow {
  /** Periods before the current one. */
  back: number;
  category: Category | "*";
  outcomes: number;
  assessed: number;
  successes: number;
  paid: string;
  disputes: number;
  overturned: number;
  agents: number;
}

function querySums(
  db: Database,
  { today, periodDays, periods }: { today: number; periodDays: number; periods: number },
): Promise<SumRow[]> {
  const daysAgo = sql`(${today}::int - (day - date '1970-01-01'))`;
  return runPrepared<SumRow>(
    db,
    sql`
    select ${daysAgo} / ${periodDays}::int as back, category, sum(outcomes)::int as outcomes,
      sum(assessed)::int as assessed, sum(successes)::int as successes, sum(paid_micro)::text as paid,
      sum(disputes)::int as disputes, sum(overturned)::int as overturned,
      sum(agents)::int as agents
    from network_days
    where day > date '1970-01-01' + (${today}::int - ${periods * periodDays}::int)
      and day <= date '1970-01-01' + ${today}::int
    group by 1, 2`,
  );
}

function sumRows(rows: SumRow[]): NetworkCounts {
  const sum = (field: Exclude<keyof SumRow, "category" | "paid">) =>
    rows.reduce((total, row) => total + row[field], 0);
  return {
    outcomes: sum("outcomes"),
    assessed: sum("assessed"),
    successes: sum("successes"),
    paidUsdc: fromMicro(rows.reduce((total, { paid }) => total + BigInt(paid), 0n)),
    disputes: sum("disputes"),
    overturned: sum("overturned"),
    agents: sum("agents"),
  };
}

function sumByCategory(rows: SumRow[]): NetworkStats["categories"] {
  return CATEGORIES.map((category) => {
    const { agents, ...counts } = sumRows(rows.filter((row) => row.category === category));
    return { category, ...counts };
  })
    .filter(({ outcomes, disputes }) => outcomes > 0 || disputes > 0)
    .sort((a, b) => b.outcomes - a.outcomes);
}

const formatDay = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

const MAX_NEWEST = 8;

/**
 * Returns exact counts and the most recently recorded verdicts. Every visit to the home page
 * requests this, so the result is shared for a second.
 */
export const readSiteStats = (db: Database): Promise<SiteStats> =>
  getCachedSiteStats(db)("stats", () => queryStats(db));

const getCachedSiteStats = prepareOnce((_db: Database) =>
  cacheLoads<SiteStats>({ ttlMs: CACHE_MS, max: 1 }),
);

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
    select outcome.id as "outcomeId", task_category as "taskCategory", title,
      final_verdict as "finalVerdict", assessed, value_micro as value, paid_micro as paid,
      resolved_at as "resolvedAt", coalesce(judge_kind = 'heuristic', false) as "byBuiltin",
      outcome.simulated, exists (
        select from refunds where refunds.outcome_id = outcome.id and refunded_at is not null
      ) as "isRefunded",
      json_build_object('walletAddress', outcome.contractor, 'name', contractor.name) as contractor,
      json_build_object('walletAddress', outcome.requester, 'name', requester.name) as requester
    from (
      select seq, outcome_id from ledger_records where type = 'outcome'
      order by seq desc limit ${MAX_NEWEST}
    ) as record
      join outcomes as outcome on outcome.id = record.outcome_id
      left join agents as contractor on contractor.wallet = outcome.contractor
      left join agents as requester on requester.wallet = outcome.requester
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
