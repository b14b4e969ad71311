import { eq, sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { JUDGE_NOTES } from "@/server/lib/judge-setup";
import { MINUTE_MS } from "@/server/lib/time";
import { judgeRecovered } from "./events";
import { type Judge, type JudgeOptions, JudgeUnavailable, TextUnanswered } from "./judge";
import { judgeStates } from "./tables";

/** Failures shorter than this are covered by the retries of each judgement. */
export const OUTAGE_AFTER_MS = MINUTE_MS;

/** An outage of a judge. `reason` is a plain English sentence. */
export interface JudgeOutage {
  since: Date;
  reason: string;
}

/** Returns the judge's outage as last recorded by any process, or null if there is none. */
export async function findOutage(
  { db }: Pick<Core, "db">,
  judgeId: string,
): Promise<JudgeOutage | null> {
  const [state] = await db.select().from(judgeStates).where(eq(judgeStates.judgeId, judgeId));
  return state?.failingSince ? { since: state.failingSince, reason: state.reason ?? "" } : null;
}

/** Records that the judge failed to decide. An outage starts at its first failure. */
export async function recordFailure(
  { db }: Pick<Core, "db">,
  judgeId: string,
  message: string,
  now: Date,
): Promise<void> {
  const reason = `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, "")}.`;
  await db
    .insert(judgeStates)
    .values({ judgeId, failingSince: now, reason })
    .onConflictDoUpdate({
      target: judgeStates.judgeId,
      set: {
        failingSince: sql`coalesce(${judgeStates.failingSince}, excluded.failing_since)`,
        reason,
      },
    });
}

/**
 * Records that the judge responded, which ends an outage. Publishes `judgeRecovered` if the outage
 * lasted at least `OUTAGE_AFTER_MS`.
 */
export async function recordResponse(
  { db, publish }: Pick<Core, "db" | "publish">,
  judgeId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(judgeStates)
      .where(eq(judgeStates.judgeId, judgeId))
      .for("update");
    const responding = { lastAnswerAt: now, failingSince: null, reason: null };
    await tx
      .insert(judgeStates)
      .values({ judgeId, ...responding })
      .onConflictDoUpdate({ target: judgeStates.judgeId, set: responding });
    const since = before?.failingSince;
    if (!since || now.getTime() - since.getTime() < OUTAGE_AFTER_MS) return;
    await publish(tx, [
      {
        id: `judge-recovered:${judgeId}:${since.toISOString()}`,
        name: judgeRecovered.name,
        data: { judgeId },
      },
    ]);
  });
}

/**
 * Wraps `judge` so that all processes see its successes and failures. The built-in judge cannot
 * fail, so it is not tracked.
 */
export function trackAvailability(judge: Judge, core: Pick<Core, "db" | "publish" | "log">): Judge {
  if (judge.kind === "heuristic") return judge;
  const track = async <T>(result: Promise<T>, options?: JudgeOptions): Promise<T> => {
    const warn = (error: unknown) =>
      core.log.warn({ err: error }, "could not record whether the judge responds");
    try {
      const value = await result;
      await recordResponse(core, judge.id, new Date()).catch(warn);
      return value;
    } catch (error) {
      if (error instanceof TextUnanswered) {
        await recordResponse(core, judge.id, new Date()).catch(warn);
        throw error;
      }
      // Cancelled by the caller, which says nothing about the judge.
      if (error instanceof JudgeUnavailable && !options?.signal?.aborted) {
        await recordFailure(core, judge.id, error.message, new Date()).catch(warn);
      }
      throw error;
    }
  };
  return {
    ...judge,
    judge: (input, options) => track(judge.judge(input, options), options),
    review: (input, options) => track(judge.review(input, options), options),
  };
}

/** Describes a judge, for `/api/health`, the start message and every page that names it. */
export function describeJudge({ kind, id, setup }: Pick<Judge, "kind" | "id" | "setup">) {
  return { kind, id, judge: setup, note: JUDGE_NOTES[setup] };
}

/**
 * Returns whether the judge responds, as last recorded, without calling it. Counts `waiting` only
 * during an outage.
 */
export async function getJudgeHealth(
  core: Pick<Core, "db">,
  judge: Judge,
  countWaiting: () => Promise<number>,
) {
  const outage = await findOutage(core, judge.id);
  if (!outage) return { status: "ok" as const, ...describeJudge(judge) };
  return {
    status: "unavailable" as const,
    ...describeJudge(judge),
    since: outage.since.toISOString(),
    reason: outage.reason,
    waiting: await countWaiting(),
  };
}
