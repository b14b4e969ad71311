import { and, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { JUDGE_NOTES } from "@/server/lib/judge-setup";
import { askForSweep } from "@/server/lib/work";
import type { ModelStates } from "./examination/examine";
import { type Judge, JudgeUnavailable, TextUnanswered } from "./judge";
import { modelStates } from "./tables";

/** The pause before the first probe of a failing model; each further one is twice as long. */
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 300;

/** An outage of a judge. `reason` is a plain English sentence. */
export interface JudgeOutage {
  since: Date;
  reason: string;
}

/** The state of a model at one endpoint: at another address, a model of that name may respond. */
const whereModel = (endpoint: string, model: string) =>
  and(eq(modelStates.endpoint, endpoint), eq(modelStates.model, model));

const inSeconds = (seconds: unknown) => sql`now() + ${seconds} * interval '1 second'`;

/**
 * Returns whether the judge responds, as last recorded by any process: its outage if one of its models
 * fails, and `untested` until each has answered a question.
 */
export async function readJudgeState(
  { db }: Pick<Core, "db">,
  { models, endpoint }: Pick<Judge, "models" | "endpoint">,
): Promise<
  { status: "ok" | "untested"; outage: null } | { status: "unavailable"; outage: JudgeOutage }
> {
  if (models.length === 0) return { status: "ok", outage: null };
  const rows = await db
    .select()
    .from(modelStates)
    .where(and(eq(modelStates.endpoint, endpoint), inArray(modelStates.model, [...models])));
  const [failing] = rows.flatMap(({ failingSince: since, reason }) =>
    since ? { since, reason: reason ?? "" } : [],
  );
  if (failing) return { status: "unavailable", outage: failing };
  return { status: rows.length === models.length ? "ok" : "untested", outage: null };
}

/** Returns whether `error` was thrown because a model is down, whose recovery will be noticed. */
export const isOutage = async (core: Pick<Core, "db">, judge: Judge, error: unknown) =>
  error instanceof JudgeUnavailable &&
  !(error instanceof TextUnanswered) &&
  (await readJudgeState(core, judge)).outage !== null;

interface Endpoint extends Pick<Core, "db" | "publish" | "log"> {
  endpoint: string;
  probeSeconds: number;
}

/**
 * Creates the states of an endpoint's models in the database, which all processes share. A probe lasts
 * at most `probeSeconds`; one that ends without a result, with its process, is repeated after that time.
 */
export function createModelStates(
  { db, publish, log }: Pick<Core, "db" | "publish" | "log">,
  endpoint: string,
  probeSeconds: number,
): ModelStates {
  const at: Endpoint = { db, publish, log, endpoint, probeSeconds };
  return {
    claimProbe: (model) => claimProbe(at, model),
    admit: (model) => admit(at, model),
    recordFailure: (model, reason, retryAfterSeconds) =>
      recordFailure(at, model, reason, retryAfterSeconds),
    recordResponse: (model) => recordResponse(at, model),
  };
}

/** Takes the turn to probe a failing model, if a probe is due. */
async function claimProbe(
  { db, endpoint, probeSeconds }: Endpoint,
  model: string,
): Promise<boolean> {
  const pause = sql`least(${MAX_PAUSE_SECONDS}::int, 2 * ${modelStates.pauseSeconds})`;
  const claimed = await db
    .update(modelStates)
    .set({
      pauseSeconds: pause,
      probeAt: inSeconds(sql`greatest(${pause}, ${probeSeconds}::int)`),
    })
    .where(and(whereModel(endpoint, model), lte(modelStates.probeAt, sql`now()`)))
    .returning({ model: modelStates.model });
  return claimed.length > 0;
}

async function admit(at: Endpoint, model: string): Promise<"ask" | "probe"> {
  const [state] = await at.db.select().from(modelStates).where(whereModel(at.endpoint, model));
  if (!state) return "probe";
  if (!state.failingSince) return "ask";
  if (await claimProbe(at, model)) return "probe";
  const wait = ((state.probeAt?.getTime() ?? 0) - Date.now()) / 1_000;
  const seconds = Math.min(MAX_PAUSE_SECONDS, Math.max(1, Math.ceil(wait)));
  throw new JudgeUnavailable(state.reason ?? "", seconds);
}

async function recordFailure(
  { db, log, endpoint }: Endpoint,
  model: string,
  reason: string,
  retryAfterSeconds = 0,
): Promise<void> {
  log.warn({ model }, reason);
  const failing = { failingSince: sql`now()`, reason };
  const pause = (seconds: unknown) =>
    inSeconds(sql`greatest(${retryAfterSeconds}::int, ${seconds}::int)`);
  await db
    .insert(modelStates)
    .values({
      ...{ endpoint, model, ...failing, pauseSeconds: FIRST_PAUSE_SECONDS },
      probeAt: pause(FIRST_PAUSE_SECONDS),
    })
    .onConflictDoUpdate({
      target: [modelStates.endpoint, modelStates.model],
      set: {
        failingSince: sql`coalesce(${modelStates.failingSince}, now())`,
        reason,
        probeAt: pause(modelStates.pauseSeconds),
      },
    });
}

/** Requeues what waits if the model was failing before. */
async function recordResponse({ db, publish, endpoint }: Endpoint, model: string): Promise<void> {
  const [state] = await db.select().from(modelStates).where(whereModel(endpoint, model));
  if (state?.failingSince === null) return;
  const responding = {
    ...{ failingSince: null, reason: null, probeAt: null },
    pauseSeconds: FIRST_PAUSE_SECONDS,
  };
  await db.transaction(async (tx) => {
    await tx
      .insert(modelStates)
      .values({ endpoint, model, ...responding })
      .onConflictDoNothing();
    const recovered = await tx
      .update(modelStates)
      .set(responding)
      .where(and(whereModel(endpoint, model), isNotNull(modelStates.failingSince)))
      .returning({ at: sql<string>`now()` });
    if (recovered.length === 0) return;
    const cause = `judge-recovered:${model}:${recovered[0]?.at}`;
    await publish(tx, [askForSweep("outcomes", cause), askForSweep("disputes", cause)]);
  });
}

/** Describes a judge, for `/api/health`, the start message and every page that names it. */
export function describeJudge(judge: Pick<Judge, "kind" | "id" | "setup" | "models">) {
  const { kind, id, models, setup } = judge;
  return { kind, id, models: [...models], judge: setup, note: JUDGE_NOTES[setup] };
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
