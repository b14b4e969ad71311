import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { lookAgain, type UsedTransfer } from "@/server/chain/payment";
import { usedTransfers } from "@/server/chain/tables";
import type { ChainInfo, Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { isUnrecorded, unrecorded } from "./waiting";

const AT_ONCE = 10;
/** Three times what Base takes to finalize: what is away for so long is not waited for any longer. */
const PATIENCE_MS = 3_600_000;

/** Something that waits for its record, and the transfer that proves it. */
interface Proven {
  /** Outcome or refund id. */
  subjectId: string;
  transfer: UsedTransfer;
}

/**
 * Since when this process has found each transfer away at every look, by transfer id. Cleared when the
 * node does not answer: nothing is known about a time without a look. Bounded, since a transfer whose
 * outcome or refund no longer waits for a record is not looked at again.
 */
const awaySince = new LRUCache<string, number>({ max: 10_000 });

/** State of the transfers behind what waits for a record; a subject in neither list goes on waiting. */
export interface Recheck {
  /** Subjects whose transfer is in the chain, deep enough. */
  standing: string[];
  /** Transfers that a reorganisation removed, or that did not come back after it. */
  lost: (Proven & { isGone: boolean })[];
}

/**
 * Looks again at the payments of `limit` judged outcomes that wait for their record. Changes nothing. Throws where the node is silent.
 */
export async function recheckPayments(
  { db }: Pick<Core, "db">,
  chain: ChainInfo,
  { limit, now }: { limit: number; now: Date },
): Promise<Recheck> {
  const paid: Proven[] = await db
    .select({ subjectId: outcomes.id, transfer: usedTransfers })
    .from(outcomes)
    .innerJoin(usedTransfers, eq(usedTransfers.id, outcomes.paymentTransferId))
    .where(and(isUnrecorded(db), gt(outcomes.paidMicro, 0n)))
    // Not the oldest first: some that the registry refuses would keep all others out.
    .orderBy(sql`random()`)
    .limit(limit);
  return recheckTransfers(chain, paid, now);
}

/** Looks up where each of `proven` is in the chain now. Throws if the node is silent. */
export async function recheckTransfers(
  chain: ChainInfo,
  proven: Proven[],
  now: Date,
): Promise<Recheck> {
  const found: Recheck = { standing: [], lost: [] };
  for (let at = 0; at < proven.length; at += AT_ONCE) {
    const some = proven.slice(at, at + AT_ONCE);
    const states = await Promise.all(some.map(({ transfer }) => lookAgain(chain, transfer))).catch(
      (error) => {
        awaySince.clear();
        throw error;
      },
    );
    for (const [index, one] of some.entries()) {
      const state = states[index];
      const { id } = one.transfer;
      if (state !== "away") awaySince.delete(id);
      if (state === "deep" || state === "final") found.standing.push(one.subjectId);
      if (state === "gone") found.lost.push({ ...one, isGone: true });
      if (state !== "away") continue;
      const since = awaySince.get(id) ?? now.getTime();
      awaySince.set(id, since);
      if (now.getTime() - since > PATIENCE_MS) found.lost.push({ ...one, isGone: false });
    }
  }
  return found;
}

/**
 * Counts lost payments as nothing, in outcomes that have no record yet. The caller holds the lock
 * under which records are made.
 */
export async function forgetLostPayments(
  { log }: Pick<Core, "log">,
  tx: Transaction,
  lost: Recheck["lost"],
): Promise<void> {
  if (lost.length === 0) return;
  const forgotten = await tx
    .update(outcomes)
    .set({ paidMicro: 0n })
    .where(
      and(
        inArray(
          outcomes.id,
          lost.map(({ subjectId }) => subjectId),
        ),
        unrecorded(tx, "outcome", outcomes.id),
      ),
    )
    .returning({ id: outcomes.id });
  await markGone(tx, lost);
  log.warn(
    { outcomes: forgotten.map(({ id }) => id) },
    "the chain no longer has these outcomes' payments: they count as unpaid",
  );
}

/** Marks those transfers as gone of which no block can hold one any more. */
export async function markGone(tx: Transaction, lost: Recheck["lost"]): Promise<void> {
  const gone = lost.filter(({ isGone }) => isGone).map(({ transfer }) => transfer.id);
  await tx
    .update(usedTransfers)
    .set({ goneAt: new Date() })
    .where(and(inArray(usedTransfers.id, gone), isNull(usedTransfers.goneAt)));
}
