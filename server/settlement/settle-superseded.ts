import { and, eq, isNull } from "drizzle-orm";
import type { SupersededRecord } from "@/server/chain/registry/ledger";
import type { Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { updateReputation } from "@/server/reputation/update";
import { insertLedgerRecords, type Settlement } from "./insert-ledger-records";

/**
 * Settles the confirmed mark of a superseded outcome inside the caller's transaction: inserts its
 * record into the ledger, updates the contractor's score and history and publishes the score's event.
 * Repeating it changes nothing.
 */
export async function settleSuperseded(
  core: Pick<Core, "publish">,
  tx: Transaction,
  { record, place, now }: Settlement<SupersededRecord>,
): Promise<void> {
  const { outcomeId, by } = record;
  const [outcome] = await tx
    .update(outcomes)
    .set({ supersededBy: by, supersededTx: place.txHash, supersededIndex: place.logIndex })
    .where(and(eq(outcomes.id, outcomeId), isNull(outcomes.supersededTx)))
    .returning({ contractor: outcomes.contractor });
  if (!outcome) return;
  await insertLedgerRecords(tx, [{ record, place }]);
  const { event } = await updateReputation(tx, {
    wallet: outcome.contractor,
    cause: "superseded",
    outcomeId,
    seq: place.seq,
    now,
  });
  if (event) await core.publish(tx, [event]);
}
