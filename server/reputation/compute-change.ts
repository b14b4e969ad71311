import { isDeepStrictEqual } from "node:util";
import { toSnakeCase } from "drizzle-orm/casing";
import type { AppEvent } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { scoreUpdated } from "./events";
import { type Totals, toStoredTotals } from "./evidence/totals";
import { POLICY } from "./policy";
import type { Reputation, StoredScoreChange } from "./schema";
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

/** The cause and time of a possible score change. */
export interface Change {
  wallet: string;
  /** `day` if only time passed. */
  cause: HistoryEntry["cause"];
  outcomeId?: string | null;
  /** Set for a dispute's verdict. */
  disputeId?: string | null;
  /** Sequence number of the ledger record that caused it; null for `day`. */
  seq?: number | null;
  now: Date;
}

/** The state of a wallet before a change. */
export interface State {
  /** Undefined if the wallet has no row. */
  stored: StoredRow | undefined;
  /** The last announced score; set only for the cause `day`, otherwise null. */
  announced: DatedScore | null;
}

/** That state, and the evidence and score after the change. */
interface ChangeInput extends State {
  /** Sums of the evidence after the change. */
  totals: Totals;
  /** The score that follows from `totals`. */
  score: Score;
  /** Explains the change from the score of `getPreviousScore`. */
  scoreChange: StoredScoreChange | null;
}

/** A score and the time at which it was in effect. */
export interface DatedScore {
  scoreE4: number;
  at: Date;
}

export interface ReputationUpdate {
  previous: Reputation;
  current: Reputation;
  /** Change of the published score, in points. */
  scoreImpact: number;
  /** Event to publish in the same transaction; null if the change is not announced. */
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
 * Computes the stored reputation of a wallet after a change. Announces a change of the tier or of
 * the published score with an event. The passing of days is announced, and added to the history,
 * only if the tier changed or the published score moved by half a point or more since it was last
 * announced.
 */
export function computeChange(
  { stored, announced, totals, score, scoreChange }: ChangeInput,
  { wallet, cause, outcomeId = null, disputeId = null, seq = null, now }: Change,
): ComputedChange {
  const previous = stored ? toPublicReputation(stored) : createUnranked(wallet, now);
  if (!stored && score.totalOutcomes === 0) {
    const update = { previous, current: previous, scoreImpact: 0, event: null };
    return { update, row: null, entry: null };
  }

  // Any other cause changes the evidence, so it gets a new version even if the score is the same.
  const isNewVersion = cause !== "day" || !stored || hasScoreChanged(stored, score);
  const version = (stored?.version ?? 0) + (isNewVersion ? 1 : 0);
  const row = {
    ...score,
    scoreDay: formatUtcDay(new Date(totals.day * DAY_MS)),
    version,
    lastUpdated: stored && !isNewVersion ? stored.lastUpdated : now,
    simulated: stored?.simulated ?? false,
    totals: toStoredTotals(totals, version),
  };
  const current = toPublicReputation(row);
  const isAnnounced =
    current.tier !== previous.tier ||
    (cause === "day"
      ? isNewVersion && announced !== null && isWorthAnnouncing(announced.scoreE4, row.scoreE4)
      : current.score !== previous.score);
  const { scoreE4: previousScoreE4 } = getPreviousScore({ stored, announced }, now);
  const { scoreE4, tier, totalOutcomes } = row;
  const subject = { wallet, version, at: now, cause, outcomeId, disputeId, seq };
  const scores = { scoreE4, previousScoreE4, tier, totalOutcomes, receipt: scoreChange };
  return {
    update: {
      previous,
      current,
      scoreImpact: Math.round((current.score - previous.score) * 100) / 100,
      event: isAnnounced ? createScoreUpdated(current, previousScoreE4, version) : null,
    },
    row,
    entry: cause === "day" && !isAnnounced ? null : { ...subject, ...scores },
  };
}

const createScoreUpdated = (
  reputation: Reputation,
  previousScoreE4: number,
  version: number,
): AppEvent => ({
  id: `score-updated:${reputation.walletAddress}:${version}`,
  name: scoreUpdated.name,
  data: { reputation, previousScore: toPublishedScore(previousScoreE4), version },
});

/**
 * Returns the score from which a change is measured: the last announced one if given, since small
 * daily moves accumulate without a history entry each, otherwise the stored one.
 */
export function getPreviousScore({ stored, announced }: State, now: Date): DatedScore {
  return announced ?? { scoreE4: stored?.scoreE4 ?? 0, at: now };
}

/**
 * Returns the UTC day, counted from 1970-01-01, for which a change at `now` computes the score. It
 * is never earlier than the stored day, even if the clocks of two instances differ slightly.
 */
export function getScoreDay(stored: StoredRow | undefined, now: Date): number {
  const today = toUtcDay(now.getTime() / 1000);
  return stored ? Math.max(today, toUtcDay(Date.parse(stored.scoreDay) / 1000)) : today;
}

/** Returns whether a daily move of the published score since the last announcement is announced. */
function isWorthAnnouncing(beforeE4: number, afterE4: number): boolean {
  // In hundredths of a point, as published, because those are exact integers.
  const hundredthsMoved = Math.abs(Math.floor(afterE4 / 100) - Math.floor(beforeE4 / 100));
  return hundredthsMoved >= POLICY.announcedChange * 100;
}

/**
 * Returns whether the unrounded score or a category score changed. If neither did, the passing of a
 * day changed nothing else either.
 */
function hasScoreChanged(
  stored: Pick<Score, "scoreE4" | "categoryScoresE4">,
  score: Pick<Score, "scoreE4" | "categoryScoresE4">,
): boolean {
  return (
    stored.scoreE4 !== score.scoreE4 ||
    !isDeepStrictEqual(stored.categoryScoresE4, score.categoryScoresE4)
  );
}

/** Serializes rows of a table as a JSON array of objects keyed by column name. */
export function serializeRows(rows: object[]): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value])),
    ),
  );
}
