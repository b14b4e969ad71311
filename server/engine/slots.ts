import type { Sql } from "./connection";
import { addJob, finishJob, type HeldJob } from "./jobs";
import { TASKS } from "./tasks";

/** A line of calls of which only so many may run at a time. */
export interface Line {
  name: string;
  limit: number;
}

/**
 * Takes a slot for a job that starts. Where none is free the job ends, and its call waits in line
 * until `passSlot` makes it a job again: a waiting call keeps no worker busy.
 *
 * @returns whether the call may go on.
 */
export async function takeSlot(tx: Sql, line: Line, job: HeldJob): Promise<boolean> {
  // Passed on by the one before, or taken before a crash.
  const mine = await tx`select 1 from engine_slots where job_id = ${job.id}::text::bigint`;
  if (mine.length > 0) return true;
  if ((await free(tx, line)) > 0) {
    await tx`
      insert into engine_slots (name, job_id) values (${line.name}, ${job.id}::text::bigint)`;
    return true;
  }
  if (await finishJob(tx, job)) {
    await tx`
      insert into engine_slots (name, call)
      values (${line.name}, ${JSON.stringify(job.payload)}::text::json)`;
  }
  return false;
}

/** Gives a job's slot to whoever is first in line. */
export async function passSlot(tx: Sql, line: Line, job: HeldJob): Promise<void> {
  await tx`delete from engine_slots where job_id = ${job.id}::text::bigint`;
  const next = await tx<{ id: string; call: Record<string, unknown> }[]>`
    select id, call from engine_slots where name = ${line.name} and job_id is null
    order by id limit ${String(await free(tx, line))}::text::bigint`;
  for (const { id, call } of next) {
    const jobId = await addJob(tx, TASKS.call, call);
    await tx`
      update engine_slots set job_id = ${jobId}::text::bigint, call = null
      where id = ${id}::text::bigint`;
  }
}

/** How many slots of the line are free. Locks the line until the transaction ends. */
async function free(tx: Sql, line: Line): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`slot:${line.name}`}, 0))`;
  const [row] = await tx<{ held: number }[]>`
    select count(job_id)::int as held from engine_slots where name = ${line.name}`;
  return Math.max(0, line.limit - (row?.held ?? 0));
}
