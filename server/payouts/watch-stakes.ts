import { and, asc, eq, isNull } from "drizzle-orm";
import { getTransferStatus } from "@/server/chain/payments/payment";
import { usedTransfers } from "@/server/chain/tables";
import type { Core } from "@/server/lib/context";

const BATCH = 200;

/** Matches stakes that are not final yet and that no reorg is known to have removed. */
export const whereStakeNotFinal = and(
  eq(usedTransfers.purpose, "stake"),
  isNull(usedTransfers.goneAt),
  isNull(usedTransfers.finalAt),
);

/**
 * Rechecks stakes until they are final. Marks a stake that a reorg removed as gone: it counts as
 * never paid, whichever party wins. Returns the number found gone. Throws if the node is
 * unreachable.
 */
export async function recheckPendingStakes({ db, log, chain }: Core): Promise<number> {
  const stakes = await db
    .select()
    .from(usedTransfers)
    .where(and(whereStakeNotFinal, eq(usedTransfers.chainId, chain.id)))
    .orderBy(asc(usedTransfers.usedAt))
    .limit(BATCH);
  let dropped = 0;
  for (const stake of stakes) {
    const status = await getTransferStatus(chain, stake);
    if (status !== "dropped" && status !== "final") continue;
    await db
      .update(usedTransfers)
      .set(status === "dropped" ? { goneAt: new Date() } : { finalAt: new Date() })
      .where(and(eq(usedTransfers.id, stake.id), isNull(usedTransfers.goneAt)));
    if (status === "final") continue;
    dropped += 1;
    log.warn({ transferId: stake.id }, "a reorganisation removed a stake");
  }
  return dropped;
}
