import { eq } from "drizzle-orm";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import { pipeline, type Started } from "@/server/db/pipeline";
import type { Core, Transaction } from "@/server/lib/context";
import { verdictsPending } from "./events";
import { recorderWakeUps } from "./tables";

type Recorder = Pick<Core, "publish"> & { chain: Pick<Core["chain"], "recorderAddress"> };

/** Returns the name of the advisory lock of a recorder's wake-up. */
const nameLock = (recorder: string) => `wake-recorder:${recorder}`;

/**
 * Wakes the recorder when `tx` commits, unless a wake-up is pending already: then that one covers
 * what `tx` wrote, because `takeWakeUp` waits for `tx`. Call it last in `tx`, since others may wait
 * for it.
 */
export function wakeRecorder({ publish, chain }: Recorder, tx: Transaction): Started<void> {
  const recorder = chain.recorderAddress;
  const lock = () => acquireAdvisoryLock(tx, nameLock(recorder), "shared");
  // A statement after the lock: its snapshot must not be older than the lock.
  const add = () =>
    tx
      .insert(recorderWakeUps)
      .values({ recorder })
      .onConflictDoNothing()
      .returning({ id: recorderWakeUps.id })
      .prepare("add_wake_up");
  return pipeline(tx, [lock, add], async ([, [added]]) => {
    if (!added) return;
    const id = `verdicts-pending:${added.id}`;
    await publish(tx, [{ id, name: verdictsPending.name, data: { recorder } }]);
  });
}

/**
 * Ends the recorder's pending wake-up, if there is one. Waits for transactions that rely on it, so
 * later statements of `tx` see all verdicts that it covers; verdicts stored after that wake the
 * recorder again.
 */
export function takeWakeUp(tx: Transaction, recorder: string): Started<unknown> {
  return pipeline(tx, [
    () => acquireAdvisoryLock(tx, nameLock(recorder)),
    () =>
      tx
        .delete(recorderWakeUps)
        .where(eq(recorderWakeUps.recorder, recorder))
        .prepare("take_wake_up"),
  ]);
}
