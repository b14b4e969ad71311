import { eq, sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { judgeRecovered } from "./events";
import { type Judge, type JudgeOptions, JudgeUnavailable } from "./judge";
import { judgeStates } from "./tables";

/** A failure that passes sooner is made up for by the retries of each judgement by itself. */
export const OUTAGE_AFTER_MS = 60_000;

/** Since when a judge fails, and why: a plain English sentence. */
export interface JudgeOutage {
  since: Date;
  reason: string;
}

/** The outage of a judge as the last process that asked it saw it; null where there is none. */
export async function findOutage(
  { db }: Pick<Core, "db">,
  judgeId: string,
): Promise<JudgeOutage | null> {
  const [state] = await db.select().from(judgeStates).where(eq(judgeStates.judgeId, judgeId));
  return state?.failingSince ? { since: state.failingSince, reason: state.reason ?? "" } : null;
}

/** Notes that the judge could not decide. An outage lasts from its first failure on. */
export async function noteFailure(
  { db }: Pick<Core, "db">,
  judgeId: string,
  why: string,
  now: Date,
): Promise<void> {
  const reason = sentence(why);
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

const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, "")}.`;

/** Notes that the judge answered, which ends an outage; the end of a long one is announced. */
export async function noteAnswer(
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
    const answering = { lastAnswerAt: now, failingSince: null, reason: null };
    await tx
      .insert(judgeStates)
      .values({ judgeId, ...answering })
      .onConflictDoUpdate({ target: judgeStates.judgeId, set: answering });
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
 * `judge`, with every answer and failure of it noted for all processes. The built-in judge cannot
 * fail, so nothing is noted of it.
 */
export function watched(judge: Judge, core: Pick<Core, "db" | "publish" | "log">): Judge {
  if (judge.kind === "heuristic") return judge;
  const note = (noted: Promise<void>) =>
    noted.catch((error: unknown) =>
      core.log.warn({ err: error }, "the state of the judge could not be noted"),
    );
  const noting = async <T>(asked: Promise<T>, options?: JudgeOptions): Promise<T> => {
    try {
      const answer = await asked;
      await note(noteAnswer(core, judge.id, new Date()));
      return answer;
    } catch (error) {
      // Called off by whoever asked: that says nothing of the judge.
      if (error instanceof JudgeUnavailable && !options?.signal?.aborted) {
        await note(noteFailure(core, judge.id, error.message, new Date()));
      }
      throw error;
    }
  };
  return {
    ...judge,
    judge: (input, options) => noting(judge.judge(input, options), options),
    review: (input, options) => noting(judge.review(input, options), options),
  };
}
