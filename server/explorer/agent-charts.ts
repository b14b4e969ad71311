import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { readCurrentScores } from "@/server/reputation/current-scores";
import { toPublishedScore } from "@/server/reputation/score/public-reputation";
import { runPlanned } from "./run-sql";
import type { ScoreSeries, SeriesInput } from "./schema";

/** Maximum number of intervals that a chart can show, and of points. */
const INTERVALS = 100;
const MAX_POINTS = 300;

const RANGE_DAYS = { "30d": 30, "6m": 182, all: null } as const;

interface SeriesRequest extends SeriesInput {
  now: Date;
}

/**
 * Returns the score of a wallet over a range up to now: the score at the start of the range, the
 * last change in each of a hundred intervals, every change not caused by an outcome, and the
 * current score. If there are too many, the latest are kept.
 */
export async function readScoreSeries(
  db: Database,
  { walletAddress: wallet, range, now }: SeriesRequest,
): Promise<ScoreSeries> {
  const days = RANGE_DAYS[range];
  // From the end of the first of these UTC days, as in lists, so that both show the same change.
  const today = Math.floor(now.getTime() / DAY_MS);
  const since = new Date(days === null ? 0 : (today - days + 2) * DAY_MS).toISOString();
  const [changes, earlier, current] = await Promise.all([
    runPlanned<ScoreSeries[number]>(
      db,
      sql`select at, score_e_4 as score, cause from (
          select at, version, score_e_4, cause,
            version = first_value(version) over (partition by slice order by version desc)
              or version = 1 as is_last
          from (
            select *, ntile(${INTERVALS}) over (order by version) as slice
            from reputation_history where wallet = ${wallet} and at >= ${since}
          ) as numbered
        ) as thinned
        where is_last or cause in ('dispute', 'refund', 'superseded', 'anchor', 'takeover')
        order by version desc limit ${MAX_POINTS}`,
    ),
    runPlanned<{ score: number }>(
      db,
      sql`select score_e_4 as score from reputation_history
        where wallet = ${wallet} and at < ${since}
        order by at desc nulls last, version desc limit 1`,
    ),
    readCurrentScores(db, [wallet], now),
  ]);
  return [
    ...earlier.map(({ score }) => ({ at: since, score, cause: "day" as const })),
    ...changes.reverse(),
    ...current.map(({ scoreE4: score }) => ({
      at: now.toISOString(),
      score,
      cause: "day" as const,
    })),
  ].map(({ at, score, cause }) => ({
    at: new Date(at).toISOString(),
    score: toPublishedScore(score),
    cause,
  }));
}
