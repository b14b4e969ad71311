import { and, asc, eq, isNull, lt, ne, or } from "drizzle-orm";
import { chainAttempts, chainTransactions } from "@/server/chain/tables";
import type { Sender } from "@/server/chain/transactions/sender";
import type { Core, Sql } from "@/server/lib/context";
import {
  confirmAndSettle,
  NotConfirmedYet,
  UNSETTLED_STALLED_MS,
  whereUnsettled,
} from "./settle-transaction";
import { signPending } from "./sign-pending";
import { recordings } from "./tables";

const TIMEOUT_MS = 2_000;
/** The next run starts after a minute and continues from here. */
const TIME_BUDGET_MS = 45_000;

/**
 * Settles transactions signed at least `stalledAfterMs` ago and not settled, then signs and
 * settles unsigned records. In between, rechecks settled transactions that a reorg may have moved.
 * Returns the number of transactions settled.
 */
export async function settleStalled(
  core: Core,
  sender: Sender,
  now: Date,
  stalledAfterMs = UNSETTLED_STALLED_MS,
): Promise<number> {
  const end = Date.now() + TIME_BUDGET_MS;
  const settleEach = async (transactionIds: string[]) => {
    let settled = 0;
    for (const transactionId of transactionIds) {
      if (Date.now() > end) break;
      try {
        await confirmAndSettle(core, sender, transactionId, TIMEOUT_MS);
        settled += 1;
      } catch (error) {
        // The next run retries; one that hangs must not block the others.
        const level = error instanceof NotConfirmedYet ? "warn" : "error";
        core.log[level]({ err: error, transactionId }, "a record is not settled yet");
      }
    }
    return settled;
  };
  await sender.resendOpen();
  const stalledSince = new Date(now.getTime() - stalledAfterMs);
  const stalled = await core.db
    .selectDistinct({ id: recordings.transactionId, createdAt: recordings.createdAt })
    .from(recordings)
    .where(and(whereUnsettled, lt(recordings.createdAt, stalledSince)))
    .orderBy(asc(recordings.createdAt))
    .limit(100);
  const resumed = await settleEach(stalled.map(({ id }) => id));
  await settleEach(await findReplacedTransactions(core.db));
  return resumed + (await settleEach(await signPending(core, sender, now)));
}

/**
 * Returns mined record transactions that are not final and have several attempts: after a reorg,
 * another attempt than the one stored with the records may be mined.
 */
async function findReplacedTransactions(db: Sql): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: chainTransactions.id })
    .from(chainTransactions)
    .innerJoin(chainAttempts, eq(chainAttempts.transactionId, chainTransactions.id))
    .where(
      and(
        eq(chainTransactions.purpose, "record"),
        eq(chainTransactions.status, "confirmed"),
        or(isNull(chainTransactions.hash), ne(chainAttempts.hash, chainTransactions.hash)),
      ),
    );
  return rows.map(({ id }) => id);
}
