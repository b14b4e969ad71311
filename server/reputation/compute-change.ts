import { isDeepStrictEqual } from "node:util";
import { toSnakeCase } from "drizzle-orm/casing";
import type { AppEvent } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { scoreUpdated } from "./events";
import { type Totals, toStoredTotals } from "./evidence/totals";
import { POLICY } from "./policy";
import type { Reputation, StoredReceipt } from "./schema";
import {
  createUnranked,
  formatUtcDay,
  toPublicReputation,
  toPublishedScore,
} from "./score/public-reputation";
import type { Score } from "./score/score";
import { toUtcDay } from "./score/weigh-outcome";
import type { reputationHistory, reputations } from "./tables";

export type StoredRow = typeof reputations.$inferSelect;
type HistoryEntry = typeof reputationHistory.$inferInsert;

/** What can change a score, and when. */
export interface Change {
  wallet: string;
  /** `day`: only time passed. */
  cause: HistoryEntry["cause"];
  /** Id of the outcome or of its dispute. */
  outcomeId?: string | null;
  disputeId?: string | null;
  /** The ledger record that caused it. */
  seq?: number | null;
  now: Date;
}

/** What the new reputation of a wallet depends on. */
export interface ChangedEvidence {
  stored: StoredRow | undefined;
  /** The last announced score; read only for the cause `day`. */
  announced: AnnouncedScore | null;
  /** The evidence after the change. */
  totals: Totals;
  /** The score that follows from `totals`. */
  score: Score;
  /** Explains the change from the score that `getPreviousScore` returns. */
  receipt: StoredReceipt | null;
}

export interface AnnouncedScore {
  scoreE4: number;
  at: Date;
}

export interface ReputationUpdate {
  previous: Reputation;
  current: Reputation;
  /** Change of the published score, in points. */
  scoreImpact: number;
  /**
   * Event to publish in the same transaction; null if the published score and tier are unchanged.
   */
  event: AppEvent | null;
}

export interface ComputedChange {
  update: ReputationUpdate;
  /** The row to store; null if the wallet has no outcomes. */
  row: StoredRow | null;
  /** The entry to add to the history, if any. */
  entry: HistoryEntry | null;
}

/**
 * Computes the stored reputation of a wallet after a change of its evidence. The cause `day` gets an
 * event and an entry of the history only if the tier changed, or the published score moved by half
 * a point or more since it was last announced.
 */
export function computeChange(
  { stored, announced, totals, score, receipt }: ChangedEvidence,
  { wallet, cause, outcomeId = null, disputeId = null, seq = null, now }: Change,
): ComputedChange {
  const previous = stored ? toPublicReputation(stored) : createUnranked(wallet, now);
  if (!stored && score.totalOutcomes === 0) {
    const update = { previous, current: previous, scoreImpact: 0, event: null };
    return { update, row: null, entry: null };
  }

  const hasChanged = cause !== "day" || !stored || hasScoreChanged(stored, score);
  const version = (stored?.version ?? 0) + (hasChanged ? 1 : 0);
  const row = {
    ...score,
    scoreDay: formatUtcDay(new Date(totals.day * DAY_MS)),
    version,
    lastUpdated: stored && !hasChanged ? stored.lastUpdated : now,
    simulated: stored?.simulated ?? false,
    totals: toStoredTotals(totals, version),
  };
  const current = toPublicReputation(row);
  const isAnnounced =
    current.tier !== previous.tier ||
    (cause === "day"
      ? hasChanged && announced !== null && isWorthAnnouncing(announced.scoreE4, row.scoreE4)
      : current.score !== previous.score);
  const before = getPreviousScore({ stored, announced }, now);
  const { scoreE4, tier, totalOutcomes } = row;
  return {
    update: {
      previous,
      current,
      scoreImpact: Math.round((current.score - previous.score) * 100) / 100,
      event: isAnnounced
        ? {
            id: `score-updated:${wallet}:${version}`,
            name: scoreUpdated.name,
            data: { reputation: current, previousScore: toPublishedScore(before.scoreE4), version },
          }
        : null,
    },
    row,
    entry:
      cause === "day" && !isAnnounced
        ? null
        : {
            wallet,
            version,
            at: now,
            cause,
            outcomeId,
            disputeId,
            seq,
            receipt,
            scoreE4,
            previousScoreE4: before.scoreE4,
            tier,
            totalOutcomes,
          },
  };
}

/**
 * Returns the score that a change is measured from. Small daily moves accumulate without an entry
 * each, so their effect is measured from the last one that was announced.
 */
export function getPreviousScore(
  { stored, announced }: Pick<ChangedEvidence, "stored" | "announced">,
  now: Date,
): AnnouncedScore {
  return announced ?? { scoreE4: stored?.scoreE4 ?? 0, at: now };
}

/**
 * Returns the UTC day, counted from 1970-01-01, of the score that a change at `now` leads to. Clocks of
 * two instances differ slightly; a score never goes back to the day before.
 */
export function getScoreDay(stored: StoredRow | undefined, now: Date): number {
  const today = toUtcDay(now.getTime() / 1000);
  return stored ? Math.max(today, toUtcDay(Date.parse(stored.scoreDay) / 1000)) : today;
}

/** Returns whether days moved the published score far enough from the last announced one. */
export function isWorthAnnouncing(beforeE4: number, afterE4: number): boolean {
  return (
    Math.abs(Math.floor(afterE4 / 100) - Math.floor(beforeE4 / 100)) >= POLICY.announcedChange * 100
  );
}

/**
 * Returns whether the exact score or a category score changed; everything else that a day changes
 * follows from them.
 */
export function hasScoreChanged(
  stored: Pick<Score, "scoreE4" | "categoryScoresE4">,
  score: Pick<Score, "scoreE4" | "categoryScoresE4">,
): boolean {
  return (
    stored.scoreE4 !== score.scoreE4 ||
    !isDeepStrictEqual(stored.categoryScoresE4, score.categoryScoresE4)
  );
}

/** Returns rows of a table as JSON with the names of its columns. */
export function toColumns(rows: object[]): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value])),
    ),
  );
}
