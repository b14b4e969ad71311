import { and, eq, isNull } from "drizzle-orm";
import type { AnchorRecord, AnchorRevokedRecord, RecordPlace } from "@/server/chain/ledger";
import type { Core, Transaction } from "@/server/lib/context";
import type { Anchor } from "@/server/reputation/anchors";
import { anchorChanged } from "@/server/reputation/events";
import { anchors } from "@/server/reputation/tables";
import { keepRecord, lockRequester } from "./keep-record";
import { rescoreContractors } from "./rescore-contractors";
import { recordings } from "./tables";

interface Settlement {
  recordingId: string;
  anchorId: string;
  record: AnchorRecord | AnchorRevokedRecord;
  place: RecordPlace;
  now: Date;
}

/**
 * Settles a confirmed anchor or its revocation: first the record and its position, then, in
 * batches, the score of every contractor that worked for the requester. The recording counts as
 * settled once all are done; until then a repeated call continues with the others. Throws
 * `RescoreUnfinished` if that takes too long.
 */
export async function settleAnchor(core: Core, settlement: Settlement): Promise<void> {
  const { recordingId, anchorId, place, now } = settlement;
  const anchor = await core.db.transaction((tx) => keepAnchor(core, tx, settlement));
  await rescoreContractors(core, {
    requester: anchor.wallet,
    from: anchor.from,
    until: anchor.until,
    seq: place.seq,
    now,
  });
  await core.db
    .update(recordings)
    .set({ settledAt: now })
    .where(and(eq(recordings.id, recordingId), isNull(recordings.settledAt)));
  core.log.info({ anchorId, seq: place.seq }, "an anchor's record is settled");
}

async function keepAnchor(
  core: Pick<Core, "publish">,
  tx: Transaction,
  { anchorId, record, place }: Settlement,
): Promise<Anchor> {
  const [anchor] = await tx.select().from(anchors).where(eq(anchors.id, anchorId)).for("update");
  if (!anchor || (record.type === "anchor" && record.wallet !== anchor.wallet)) {
    throw new Error(`record ${place.seq} is not that of anchor ${anchorId}`);
  }
  const known = record.type === "anchor" ? anchor.seq : anchor.revokedSeq;
  if (known !== null) return anchor;
  // A concurrent settlement of this requester's outcome either sees the record or is seen below.
  await lockRequester(tx, anchor.wallet, "alone");
  await keepRecord(tx, record, place);
  await tx
    .update(anchors)
    .set(
      record.type === "anchor"
        ? { seq: place.seq, txHash: place.txHash }
        : { revokedSeq: place.seq, revokedTxHash: place.txHash },
    )
    .where(eq(anchors.id, anchorId));
  if (record.type === "anchor" && anchor.revokeAskedAt) {
    // Revoked while its record was pending: the revocation can be recorded from now on.
    await core.publish(tx, [
      { id: `anchor-recorded:${anchorId}`, name: anchorChanged.name, data: { anchorId } },
    ]);
  }
  return anchor;
}
