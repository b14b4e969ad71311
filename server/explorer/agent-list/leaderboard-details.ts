import { inArray, sql } from "drizzle-orm";
import { toEvidenceLevel } from "@/server/explorer/risk/assess-risk";
import { BRIEF_SCAN, readRisks } from "@/server/explorer/risk/read-risk";
import { runPlanned } from "@/server/explorer/run-sql";
import type { LeaderboardRow } from "@/server/explorer/schema";
import type { Database } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { toPublishedScore } from "@/server/reputation/score/public-reputation";
import type { EntryRow } from "./list-agents";

const DAYS = 30;

type LeaderboardDetails = Pick<
  LeaderboardRow,
  "evidence" | "risk" | "successRate" | "confirmedClients" | "lastActive" | "days"
>;

interface DetailsRow {
  wallet: string;
  confidence: number;
  days: (number | null)[];
}

/**
 * Returns a lookup of the leaderboard details of each entry. Costs one index lookup per
 * agent and day, however long an agent's history is.
 */
export async function readLeaderboardDetails(
  db: Database,
  entries: EntryRow[],
  now: Date,
): Promise<(entry: EntryRow) => LeaderboardDetails> {
  const wallets = entries.filter((entry) => entry.total_outcomes > 0).map(({ wallet }) => wallet);
  const [rows, getRisk] = await Promise.all([
    wallets.length === 0 ? [] : queryDetails(db, wallets, now),
    readRisks(
      db,
      entries.map(({ wallet }) => wallet),
      BRIEF_SCAN,
      now,
    ),
  ]);
  const byWallet = new Map(rows.map((row) => [row.wallet, row]));
  return (entry) => {
    const row = byWallet.get(entry.wallet);
    // Between two changes a score decays a little each day, so it is only known on days of a
    // change.
    const past = row?.days
      .slice(0, -1)
      .map((e4, day) => (e4 === null || e4 === row.days[day - 1] ? null : toPublishedScore(e4)));
    return {
      evidence: toEvidenceLevel(row?.confidence ?? null),
      risk: getRisk(entry.wallet),
      successRate: entry.success_rate_e_4 === null ? null : entry.success_rate_e_4 / 10_000,
      confirmedClients: entry.requesters,
      lastActive: entry.last_active && new Date(entry.last_active).toISOString(),
      days: past ? [...past, entry.score_e_2 / 100] : [],
    };
  };
}

function queryDetails(db: Database, wallets: string[], now: Date): Promise<DetailsRow[]> {
  const lastDayEnd = new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS).toISOString();
  return runPlanned<DetailsRow>(
    db,
    sql`
    select wallet, (breakdown->>'confidence')::float8 as confidence,
      to_jsonb(array(
      select (
        select score_e_4 from reputation_history as history
        where history.wallet = reputation.wallet
          and at < ${lastDayEnd}::timestamptz - back * interval '1 day'
        order by at desc nulls last limit 1
      ) from generate_series(${DAYS - 1}::int, 0, -1) as back order by back desc
    )) as days
    from reputations as reputation
    where ${inArray(sql`wallet`, wallets)}`,
  );
}
