import { and, isNotNull, isNull, notInArray } from "drizzle-orm";
import type { AnchorRecord, AnchorRevokedRecord } from "@/server/chain/ledger";
import type { Sql, Transaction } from "@/server/lib/context";
import { anchors } from "@/server/reputation/tables";
import { oldestUnless, unrecorded, type Waiting } from "./waiting";

interface Choice {
  limit: number;
  /** Those that the registry has refused just now. */
  refused: string[];
}

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
  { limit, refused }: Choice,
): Promise<Waiting<Omit<AnchorRecord, "seq">>[]> {
  const rows = await tx
    .select()
    .from(anchors)
    .where(and(isAnchorUnrecorded(tx), notInArray(anchors.id, refused)))
    .orderBy(oldestUnless(refused, anchors.createdAt))
    .limit(limit);
  return rows.map(({ id, wallet, from, until }) => ({
    subjectId: id,
    record: { type: "anchor", wallet, from: seconds(from), until: until && seconds(until) },
  }));
}

/** Recorded anchors whose revocation has no record, in the order in which it was asked for. */
export async function waitingRevocations(
  tx: Transaction,
  { limit, refused }: Choice,
): Promise<Waiting<AnchorRevokedRecord>[]> {
  const rows = await tx
    .select({ id: anchors.id, seq: anchors.seq })
    .from(anchors)
    .where(and(isRevocationUnrecorded(tx), notInArray(anchors.id, refused)))
    .orderBy(oldestUnless(refused, anchors.revokeAskedAt))
    .limit(limit);
  return rows.flatMap(({ id, seq }) =>
    seq === null ? [] : [{ subjectId: id, record: { type: "anchor-revoked", anchorSeq: seq } }],
  );
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);
