import type { Sql } from "./connection";
import { addJob } from "./jobs";
import { TASKS } from "./tasks";

/**
 * Locks a run for a change of its steps. Otherwise two parallel steps that end at once would each
 * see the other as pending, and neither would continue the run. Returns false if the run is over.
 */
export async function lockRun(tx: Sql, run: string): Promise<boolean> {
  const rows = await tx`
    select 1 from engine_runs where id = ${run}::uuid and status = 'active' for update`;
  return rows.length === 1;
}

/** Memoises the result of a pending step, and continues the run if that was awaited. */
export async function resolveStep(
  tx: Sql,
  run: string,
  step: string,
  output: unknown,
): Promise<void> {
  if (!(await lockRun(tx, run))) return;
  const [done] = await tx<{ eager: boolean }[]>`
    update engine_steps
    set output = ${JSON.stringify(output)}::text::json, done_at = now(), ordinal = default
    where run_id = ${run}::uuid and id = ${step}::text and done_at is null
    returning eager`;
  if (done) await goOn(tx, run, done.eager);
}

/** Calls the function again, unless it waits for more steps than the one just finished. */
export async function goOn(tx: Sql, run: string, eager: boolean): Promise<void> {
  if (!eager && (await hasPending(tx, run))) return;
  await addJob(tx, TASKS.call, { run, step: null, attempt: 0 });
}

async function hasPending(tx: Sql, run: string): Promise<boolean> {
  const rows = await tx`
    select 1 from engine_steps where run_id = ${run}::uuid and done_at is null limit 1`;
  return rows.length > 0;
}
