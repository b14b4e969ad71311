import { and, asc, count, desc, eq, sql } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { createPage } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { NEXT_TIER_LIMITS } from "./policy";
import { readLedger } from "./queries";
import type { HistoryPage, NextTier, ScoreChange, StoredScoreChange } from "./schema";
import { describeScoreChange } from "./score/describe-score-change";
import { findNextTier } from "./score/next-tier";
import { formatUtcDay, toPublishedScore } from "./score/public-reputation";
import { reputationHistory, reputations } from "./tables";

interface HistoryRequest {
  walletAddress: string;
  page: number;
  size: number;
  now: Date;
}

/**
 * Returns the score of a wallet after each event, newest first, and what the next tier would take.
 */
export async function readHistory(
  db: Sql,
  { walletAddress, page, size, now }: HistoryRequest,
): Promise<HistoryPage> {
  const whereWallet = eq(reputationHistory.wallet, walletAddress);
  const [rows, [counted], nextTier] = await Promise.all([
    db
      .select()
      .from(reputationHistory)
      .where(whereWallet)
      .orderBy(desc(reputationHistory.version))
      .limit(size)
      .offset(page * size),
    db.select({ total: count() }).from(reputationHistory).where(whereWallet),
    readNextTier(db, walletAddress, now),
  ]);
  const content = rows.map(toPublicChange);
  return { ...createPage(content, counted?.total ?? 0, { page, size }), nextTier };
}

/** Moves are those of this period, or the newest few if it has fewer. */
const MOVES_DAYS = 30;
const LEAST_MOVES = 5;
/** How many moves are returned at most, and how many of the newest changes are searched for them. */
const MOST_MOVES = 50;
const SEARCHED_CHANGES = 500;
/** The least effect, in 1/10,000 points: half of the last digit that pages show. */
const MIN_EFFECT_E4 = 50;

/** Returns the changes of the last 30 days that moved the score of a wallet visibly, newest first. */
export async function readScoreMoves(db: Sql, wallet: string, now: Date): Promise<ScoreChange[]> {
  const newest = db
    .select()
    .from(reputationHistory)
    .where(eq(reputationHistory.wallet, wallet))
    .orderBy(desc(reputationHistory.version))
    .limit(SEARCHED_CHANGES)
    .as("newest");
  const effect = sql`case
    when receipt is null then score_e_4 - previous_score_e_4
    when cause = 'day' then (receipt->>'daysE4')::numeric
    else (receipt->>'effectE4')::numeric end`;
  const rows = await db
    .select()
    .from(newest)
    .where(sql`abs(${effect}) >= ${MIN_EFFECT_E4}`)
    .orderBy(desc(newest.version))
    .limit(MOST_MOVES);
  const since = new Date(now.getTime() - MOVES_DAYS * DAY_MS);
  return rows.filter(({ at }, index) => index < LEAST_MOVES || at >= since).map(toPublicChange);
}

/**
 * Returns how the records of an outcome (its verdict, dispute and refund) changed the score of its
 * contractor, oldest first.
 */
export async function readOutcomeChanges(
  db: Sql,
  contractor: string,
  outcomeId: string,
): Promise<ScoreChange[]> {
  const { wallet, outcomeId: outcome, version } = reputationHistory;
  const rows = await db
    .select()
    .from(reputationHistory)
    .where(and(eq(wallet, contractor), eq(outcome, outcomeId)))
    .orderBy(asc(version));
  return rows.map(toPublicChange);
}

function toPublicChange(row: typeof reputationHistory.$inferSelect): ScoreChange {
  return {
    at: row.at.toISOString(),
    version: row.version,
    score: toPublishedScore(row.scoreE4),
    previousScore: toPublishedScore(row.previousScoreE4),
    tier: row.tier,
    totalOutcomes: row.totalOutcomes,
    cause: row.cause,
    outcomeId: row.outcomeId,
    disputeId: row.disputeId,
    seq: row.seq,
    receipt: row.receipt && toPublicExplanation(row.receipt),
  };
}

function toPublicExplanation({ rule, facts, effectE4, daysE4, before, after }: StoredScoreChange) {
  const sentence = describeScoreChange({ rule, facts });
  return { rule, sentence, effect: effectE4 / 10_000, days: daysE4 / 10_000, before, after };
}

const cacheNextTier = cacheLoads<NextTier | null>({ ttlMs: DAY_MS, max: 5_000 });

/** Caches the next tier for each state of a wallet's ledger and each day. */
async function readNextTier(db: Sql, wallet: string, now: Date): Promise<NextTier | null> {
  const unixSeconds = Math.floor(now.getTime() / 1000);
  const [row] = await db
    .select({ version: reputations.version, outcomes: reputations.totalOutcomes })
    .from(reputations)
    .where(eq(reputations.wallet, wallet));
  if (!row) return findNextTier([], wallet, unixSeconds);
  // The search computes about fifty scores; for a longer ledger that would delay other requests.
  if (row.outcomes > NEXT_TIER_LIMITS.outcomes) return null;
  const key = `${wallet}:${row.version}:${formatUtcDay(now)}`;
  return cacheNextTier(key, async () =>
    findNextTier(await readLedger(db, wallet), wallet, unixSeconds),
  );
}
