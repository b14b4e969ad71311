import { and, asc, isNotNull, isNull } from "drizzle-orm";
import type { AnchorRecord, AnchorRevokedRecord } from "@/server/chain/ledger";
import type { Sql, Transaction } from "@/server/lib/context";
import { anchors } from "@/server/reputation/tables";
import { unrecorded, type Waiting } from "./waiting";

const LIMIT = 10;

/** That an anchor has no record, and has not been taken back before it got one. */
export const isAnchorUnrecorded = (tx: Sql) =>
  and(isNull(anchors.seq), isNull(anchors.revokeAskedAt), unrecorded(tx, "anchor", anchors.id));

/** That a recorded anchor was taken back and its revocation has no record yet. */
export const isRevocationUnrecorded = (tx: Sql) =>
  and(
    isNotNull(anchors.seq),
    isNotNull(anchors.revokeAskedAt),
    isNull(anchors.revokedSeq),
    unrecorded(tx, "anchor-revoked", anchors.id),
  );

/** Anchors without a record, oldest first. One that was taken back before needs none any more. */
export async function waitingAnchors(
  tx: Transaction,
): Promise<Waiting<Omit<AnchorRecord, "seq">>[]> {
  const rows = await tx
    .select()
    .from(anchors)
    .where(isAnchorUnrecorded(tx))
    .orderBy(asc(anchors.createdAt))
    .limit(LIMIT);
  return rows.map(({ id, wallet, from, until }) => ({
    subjectId: id,
    record: { type: "anchor", wallet, from: seconds(from), until: until && seconds(until) },
  }));
}

/** Recorded anchors whose revocation has no record, in the order in which it was asked for. */
export async function waitingRevocations(tx: Transaction): Promise<Waiting<AnchorRevokedRecord>[]> {
  const rows = await tx
    .select({ id: anchors.id, seq: anchors.seq })
    .from(anchors)
    .where(isRevocationUnrecorded(tx))
    .orderBy(asc(anchors.revokeAskedAt))
    .limit(LIMIT);
  return rows.flatMap(({ id, seq }) =>
    seq === null ? [] : [{ subjectId: id, record: { type: "anchor-revoked", anchorSeq: seq } }],
  );
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);
