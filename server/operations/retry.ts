import type { Core } from "@/server/lib/context";
import { askForSweep, type Work } from "@/server/lib/work";
import { OperationRefused } from "./operation-refused";
import { requeue } from "./requeue";
import { readStalled } from "./stalled";
import { WORK } from "./work";

interface RetryRequest {
  /** Name of the work. */
  kind: string;
  /** An id from the status; all work of the kind if omitted. */
  id?: string | undefined;
  now: Date;
}

/**
 * Does or requeues pending work of a kind, however recent; work queued twice is a no-op. Returns what was
 * done, such as `2 requeued`, or null if nothing is pending. Throws `OperationRefused` for a kind that an
 * operator cannot retry, and for an `id` of a kind that is only retried as a whole.
 */
export async function retryStalled(
  core: Pick<Core, "db" | "publish">,
  { kind, id, now }: RetryRequest,
): Promise<string | null> {
  const work = WORK.find(({ name }) => name === kind) as Work | undefined;
  if (!work) throw new OperationRefused(`${kind} is not a kind of work.`);
  if (work.retry) return work.retry(core, id);
  const cause = `retry-${now.toISOString()}`;
  if (work.requeue) {
    const requeued = await requeue(core, work, { now, cause, only: id });
    return requeued === 0 ? null : `${requeued} requeued`;
  }
  if (!work.sweep && !work.doneBy) {
    throw new OperationRefused(`An operator can't retry ${kind}: ${work.waiting?.description}.`);
  }
  if (id) {
    throw new OperationRefused(
      `The ${kind} are only retried as a whole: omit the id from retry ${kind}.`,
    );
  }
  const found = (await readStalled(core.db, now)).find((one) => one.kind === kind);
  if (!found || found.waiting === 0) return null;
  await core.db.transaction((tx) =>
    core.publish(tx, [askForSweep(work.doneBy ?? work.name, cause)]),
  );
  return `${found.waiting} waiting; one run now does all of it`;
}
