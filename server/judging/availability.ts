import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { JUDGE_NOTES } from "@/server/lib/judge-setup";
import { judgeRecovered } from "./events";
import type { ModelStates } from "./examination/examine";
import { type Judge, JudgeUnavailable } from "./judge";
import { modelStates } from "./tables";

/** The pause before the first probe of a failing model; each further one is twice as long. */
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 300;

/** An outage of a judge. `reason` is a plain English sentence. */
export interface JudgeOutage {
  since: Date;
  reason: string;
}

/**
 * Returns whether the judge responds, as last recorded by any process: its outage if one of its models
 * fails, and `untested` until each has answered a question.
 */
export async function readJudgeState(
  { db }: Pick<Core, "db">,
  { models }: Pick<Judge, "models">,
): Promise<
  { status: "ok" | "untested"; outage: null } | { status: "unavailable"; outage: JudgeOutage }
> {
  if (models.length === 0) return { status: "ok", outage: null };
  const rows = await db
    .select()
    .from(modelStates)
    .where(inArray(modelStates.model, [...models]));
  const [failing] = rows.flatMap(({ failingSince: since, reason }) =>
    since ? { since, reason: reason ?? "" } : [],
  );
  if (failing) return { status: "unavailable", outage: failing };
  const isTested = models.every((model) => rows.some((row) => row.model === model));
  return { status: isTested ? "ok" : "untested", outage: null };
}

/** Creates the states of models in the database, which all processes share. */
export function createModelStates({
  db,
  publish,
  log,
}: Pick<Core, "db" | "publish" | "log">): ModelStates {
  return {
    async admit(model) {
      const [state] = await db.select().from(modelStates).where(eq(modelStates.model, model));
      if (!state?.failingSince) return "ask";
      if (await claimProbe({ db }, model)) return "probe";
      const wait = ((state.probeAt?.getTime() ?? 0) - Date.now()) / 1_000;
      const seconds = Math.min(MAX_PAUSE_SECONDS, Math.max(1, Math.ceil(wait)));
      throw new JudgeUnavailable(state.reason ?? "", seconds);
    },

    async recordFailure(model, message, retryAfterSeconds) {
      const reason = `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, "")}.`;
      log.warn({ model }, reason);
      const pause = sql`greatest(${retryAfterSeconds ?? 0}, ${modelStates.pauseSeconds})`;
      const probeAt = sql`now() + ${pause} * interval '1 second'`;
      await db
        .insert(modelStates)
        .values({
          model,
          failingSince: sql`now()`,
          reason,
          pauseSeconds: FIRST_PAUSE_SECONDS,
          probeAt: sql`now() + greatest(${retryAfterSeconds ?? 0}, ${FIRST_PAUSE_SECONDS}) * interval '1 second'`,
        })
        .onConflictDoUpdate({
          target: modelStates.model,
          set: {
            failingSince: sql`coalesce(${modelStates.failingSince}, now())`,
            reason,
            probeAt: sql`case when ${modelStates.failingSince} is null or ${retryAfterSeconds ?? 0} > 0 then ${probeAt} else ${modelStates.probeAt} end`,
          },
        });
    },

    async recordResponse(model) {
      const [state] = await db.select().from(modelStates).where(eq(modelStates.model, model));
      if (state?.failingSince === null) return;
      await db.transaction(async (tx) => {
        const responding = {
          failingSince: null,
          reason: null,
          probeAt: null,
          pauseSeconds: FIRST_PAUSE_SECONDS,
        };
        await tx
          .insert(modelStates)
          .values({ model, ...responding })
          .onConflictDoNothing();
        const recovered = await tx
          .update(modelStates)
          .set(responding)
          .where(and(eq(modelStates.model, model), sql`${modelStates.failingSince} is not null`))
          .returning({ at: sql<string>`now()` });
        if (recovered.length === 0) return;
        await publish(tx, [
          {
            id: `judge-recovered:${model}:${recovered[0]?.at}`,
            name: judgeRecovered.name,
            data: { judgeId: model },
          },
        ]);
      });
    },
  };
}

/**
 * Takes the turn to probe a failing model, if a probe is due. The next one is due after twice the pause,
 * up to five minutes.
 */
async function claimProbe({ db }: Pick<Core, "db">, model: string): Promise<boolean> {
  const pause = sql`least(${MAX_PAUSE_SECONDS}, 2 * ${modelStates.pauseSeconds})`;
  const claimed = await db
    .update(modelStates)
    .set({ pauseSeconds: pause, probeAt: sql`now() + ${pause} * interval '1 second'` })
    .where(and(eq(modelStates.model, model), lte(modelStates.probeAt, sql`now()`)))
    .returning({ model: modelStates.model });
  return claimed.length > 0;
}

/** Takes the turn to probe each failing model whose next probe is due, and returns these models. */
export async function findDueProbes(
  core: Pick<Core, "db">,
  { models }: Pick<Judge, "models">,
): Promise<string[]> {
  const due: string[] = [];
  for (const model of models) if (await claimProbe(core, model)) due.push(model);
  return due;
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
  const { status, outage } = await readJudgeState(core, judge);
  if (!outage) return { status, ...describeJudge(judge) };
  return {
    status: "unavailable" as const,
    ...describeJudge(judge),
    since: outage.since.toISOString(),
    reason: outage.reason,
    waiting: await countWaiting(),
  };
}
