import { inArray, type SQL, sql } from "drizzle-orm";
import { toEvidenceLevel } from "@/server/explorer/risk/assess-risk";
import { readChecked } from "@/server/explorer/risk/read-checked";
import { recommend } from "@/server/explorer/risk/recommend";
import { runPlanned, runPrepared } from "@/server/explorer/run-sql";
import type { Database } from "@/server/lib/context";
import type { Category } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { POLICY } from "@/server/reputation/policy";
import { formatUtcDay, toPublishedScore } from "@/server/reputation/score/public-reputation";
import { toUtcDay } from "@/server/reputation/score/weigh-outcome";
import type { EntryRow } from "./list-agents";
import type { ExplorerEntry, LeaderboardRow } from "./schema";

const DAYS = 30;

type LeaderboardDetails = Omit<LeaderboardRow, keyof ExplorerEntry | "rank" | "categoryFigures">;

interface DetailsRow {
  wallet: string;
  confidence: number;
  assessed: number;
  confirmed: number;
  /** The last score of each day that changed it, oldest first; earlier days count as day 0. */
  changes: [day: number, scoreE4: number][] | null;
}

/**
 * Returns a lookup of the leaderboard details of each entry. Costs one index lookup for each day on
 * which a score changed, however long an agent's history is.
 */
export async function readLeaderboardDetails(
  db: Database,
  entries: EntryRow[],
  now: Date,
  {
    category,
    valueUsdc = null,
  }: { category?: Category | undefined; valueUsdc?: number | null } = {},
): Promise<(entry: EntryRow) => LeaderboardDetails> {
  const wallets = entries.filter((entry) => entry.total_outcomes > 0).map(({ wallet }) => wallet);
  const [rows, getChecked] = await Promise.all([
    wallets.length === 0 ? [] : queryDetails(db, wallets, now),
    readChecked(
      db,
      entries.map(({ wallet }) => wallet),
      now,
      { category },
    ),
  ]);
  const byWallet = new Map(rows.map((row) => [row.wallet, row]));
  return (entry) => {
    const row = byWallet.get(entry.wallet);
    const checked = getChecked(entry.wallet);
    return {
      evidence: toEvidenceLevel(row?.confidence ?? null),
      risk: checked.risk,
      recommendation: recommend(checked, valueUsdc),
      successRate: entry.success_rate_e_4 === null ? null : entry.success_rate_e_4 / 10_000,
      assessedOutcomes: row?.assessed ?? 0,
      confirmedOutcomes: row?.confirmed ?? 0,
      confirmedClients: checked.confirmedClients,
      lastActive: entry.last_active && new Date(entry.last_active).toISOString(),
      days: row ? [...toPastDays(row.changes ?? []), entry.score_e_2 / 100] : [],
    };
  };
}

/**
 * Returns the score of each day before the last. Between two changes a score decays a little each day,
 * so it is only known on days of a change.
 */
function toPastDays(changes: [day: number, scoreE4: number][]): (number | null)[] {
  const days = Array<number | null>(DAYS - 1).fill(null);
  changes.forEach(([day, scoreE4], n) => {
    if (day < days.length && scoreE4 !== changes[n - 1]?.[1]) days[day] = toPublishedScore(scoreE4);
  });
  return days;
}

function queryDetails(db: Database, wallets: string[], now: Date): Promise<DetailsRow[]> {
  const tomorrow = Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS;
  const end = new Date(tomorrow).toISOString();
  const firstDay = new Date(tomorrow - DAYS * DAY_MS).toISOString();
  const newestBefore = (time: SQL) => sql`(
    select at, (at at time zone 'UTC')::date - ${firstDay.slice(0, 10)}::date as day, score_e_4
    from reputation_history as history
    where history.wallet = reputation.wallet and at < ${time}
    order by at desc nulls last limit 1
  )`;
  return runPrepared<DetailsRow>(
    db,
    sql`
    select wallet, (breakdown->>'confidence')::float8 as confidence,
      assessed_outcomes as assessed, confirmed_outcomes as confirmed, changes
    from reputations as reputation cross join lateral (
      with recursive change as (
        ${newestBefore(sql`${end}::timestamptz`)}
        union all
        select older.* from change
          cross join lateral ${newestBefore(sql`date_trunc('day', change.at, 'UTC')`)} as older
        where change.day > 0
      )
      select json_agg(json_build_array(greatest(day, 0), score_e_4) order by at) as changes from change
    ) as history
    where wallet = any(${sql.param(wallets)}::char(42)[])`,
  );
}

export type CategoryFigures = NonNullable<LeaderboardRow["categoryFigures"]>;

interface FiguresRow {
  wallet: string;
  outcomes: number;
  counted: number;
  assessed: number;
  passed: number;
  clients: number;
  day: number;
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
      coalesce(sum(counted) filter (where ${inRates}), 0)::int as counted,
      coalesce(sum(assessed) filter (where ${inRates}), 0)::int as assessed,
      coalesce(sum(passed) filter (where ${inRates}), 0)::int as passed,
      count(distinct requester) filter (where backing <> 'claimed')::int as clients,
      max(day) as day
    from evidence
    where ${inArray(sql`wallet`, wallets)} and category = ${category} and day <= ${today}
    group by wallet`,
  );
  const byWallet = new Map(rows.map((row) => [row.wallet, row]));
  return (wallet) => {
    const row = byWallet.get(wallet);
    if (!row) return undefined;
    const { outcomes, counted, assessed, passed, clients, day } = row;
    return {
      outcomes,
      successRate: assessed === 0 ? null : Math.floor((passed * 10_000) / assessed) / 10_000,
      assessedOutcomes: assessed,
      confirmedOutcomes: counted,
      confirmedClients: clients,
      lastDay: formatUtcDay(new Date(day * DAY_MS)),
    };
  };
}
