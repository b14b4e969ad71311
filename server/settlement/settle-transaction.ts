import { and, asc, eq, isNull } from "drizzle-orm";
import type { TransactionReceipt } from "viem";
import { decodeRecords } from "@/server/chain/registry";
import type { Core } from "@/server/lib/context";
import { followAttempt } from "./follow-attempt";
import { settleAnchor } from "./settle-anchor";
import { settleDispute } from "./settle-dispute";
import { settleOutcome } from "./settle-outcome";
import { settleRefund } from "./settle-refund";
import { settleTakeover } from "./settle-takeover";
import { recordings } from "./tables";

/**
 * Settles every record of a confirmed transaction, one SQL transaction each, in the order in which
 * they stand on chain. What was settled before only learns where it stands now, so it can be run again
 * at any time, also twice at once. Throws where the chain holds something else than was signed.
 */
export async function settleTransaction(
  core: Core,
  {
    transactionId,
    receipt,
    now,
  }: { transactionId: string; receipt: TransactionReceipt; now: Date },
): Promise<void> {
  await followAttempt(core.db, transactionId, receipt.transactionHash);
  const placed = decodeRecords(receipt.logs, core.chain.registryAddress);
  const waiting = await core.db
    .select()
    .from(recordings)
    .where(and(eq(recordings.transactionId, transactionId), isNull(recordings.settledAt)))
    .orderBy(asc(recordings.position));
  for (const { id, kind, subjectId, position } of waiting) {
    const found = placed[position];
    const isIt = found?.record.type !== "outcome" || found.record.id === subjectId;
    if (found?.record.type !== kind || !isIt) {
      throw new Error(`transaction ${transactionId} holds no ${kind} ${subjectId} at ${position}`);
    }
    const { record, place } = found;
    if (record.type === "anchor" || record.type === "anchor-revoked") {
      await settleAnchor(core, { recordingId: id, anchorId: subjectId, record, place, now });
      continue;
    }
    await core.db.transaction(async (tx) => {
      // Whoever comes second waits here for the first, and then finds it done.
      const mine = await tx
        .update(recordings)
        .set({ settledAt: now })
        .where(and(eq(recordings.id, id), isNull(recordings.settledAt)))
        .returning({ id: recordings.id });
      if (mine.length === 0) return;
      if (record.type === "outcome") await settleOutcome(core, tx, { record, place, now });
      if (record.type === "dispute") {
        await settleDispute(core, tx, { disputeId: subjectId, record, place, now });
      }
      if (record.type === "refund") {
        await settleRefund(core, tx, { refundId: subjectId, record, place, now });
      }
      if (record.type === "takeover") await settleTakeover(core, tx, { record, place, now });
    });
  }
}
