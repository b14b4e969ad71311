import { and, eq, isNull, sql } from "drizzle-orm";
import type { AnchorRecord, AnchorRevokedRecord } from "@/server/chain/registry/ledger";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import type { Core, Database, Transaction } from "@/server/lib/context";
import type { Anchor } from "@/server/reputation/anchors";
import { anchorChanged } from "@/server/reputation/events";
import { anchors, ledgerRecords, reputationHistory } from "@/server/reputation/tables";
import { updateReputation } from "@/server/reputation/update";
import { insertLedgerRecords, lockRequesters, type Settlement } from "./insert-ledger-records";
import { lockSigning } from "./sign-pending";
import { recordings } from "./tables";

/** Small, so that the locks of one batch are held briefly. */
const BATCH = 50;
/** Leaves time for the rest of a reconciliation; the next one continues. */
const TIME_BUDGET_MS = 20_000;

/** There are more contractors than one call can rescore. */
export class RescoreUnfinished extends Error {
  override name = "RescoreUnfinished";
}

/**
 * Updates the score of every contractor with an outcome in the anchor's range, in ascending order of
 * wallets, and publishes the changes. Contractors with a history entry for this record are skipped,
 * so it is safe to repeat or to run concurrently. Throws `RescoreUnfinished` if time runs out.
 */
async function rescoreContractors(core: Core, anchor: Anchor, seq: number, now: Date) {
  const end = Date.now() + TIME_BUDGET_MS;
  for (let after = ""; ; ) {
    const wallets = await core.db.transaction(async (tx) => {
      await acquireAdvisoryLock(tx, `rescore:${seq}`);
      const rows = await tx.execute<{ contractor: string }>(selectUnscored(anchor, seq, after));
      for (const { contractor: wallet } of rows) {
        const { event } = await updateReputation(tx, { wallet, cause: "anchor", seq, now });
        if (event) await core.publish(tx, [event]);
      }
      return rows.map(({ contractor }) => contractor);
    });
    const last = wallets.at(-1);
    if (last === undefined || wallets.length < BATCH) return;
    after = last;
    if (Date.now() > end) throw new RescoreUnfinished(`record ${seq}: more to rescore`);
  }
}

function selectUnscored({ wallet: requester, from, until }: Anchor, seq: number, after: string) {
  const resolvedAt = sql`(record->>'resolvedAt')::bigint`;
  return sql`
    select distinct contractor from ${ledgerRecords} as outcome
    where wallet = ${requester} and type = 'outcome' and contractor > ${after}
      and ${resolvedAt} >= ${from.getTime() / 1000}::bigint
      ${until ? sql`and ${resolvedAt} < ${until.getTime() / 1000}::bigint` : sql``}
      and not exists (
        select from ${reputationHistory} as line
        where line.wallet = outcome.contractor and line.seq = ${seq}
      )
    order by contractor limit ${BATCH}`;
}

interface AnchorSettlement extends Settlement<AnchorRecord | AnchorRevokedRecord> {
  recordingId: string;
  anchorId: string;
}

/**
 * Settles a confirmed anchor or its revocation: first the record and its position, then, in
 * batches, the score of every contractor that worked for the requester. The recording counts as
 * settled once all are done; until then a repeated call continues with the others. Throws
 * `RescoreUnfinished` if that takes too long.
 */
export async function settleAnchor(core: Core, settlement: AnchorSettlement): Promise<void> {
  const { recordingId, anchorId, place, now } = settlement;
  const anchor = await core.db.transaction((tx) => storeAnchorRecord(core, tx, settlement));
  await rescoreContractors(core, anchor, place.seq, now);
  await core.db
    .update(recordings)
    .set({ settledAt: now })
    .where(and(eq(recordings.id, recordingId), isNull(recordings.settledAt)));
  core.log.info({ anchorId, seq: place.seq }, "settled an anchor");
}

async function storeAnchorRecord(
  core: Pick<Core, "publish">,
  tx: Transaction,
  { anchorId, record, place }: AnchorSettlement,
): Promise<Anchor> {
  const [anchor] = await tx.select().from(anchors).where(eq(anchors.id, anchorId)).for("update");
  if (!anchor || (record.type === "anchor" && record.wallet !== anchor.wallet)) {
    throw new Error(`record ${place.seq} is not that of anchor ${anchorId}`);
  }
  const knownSeq = record.type === "anchor" ? anchor.seq : anchor.revokedSeq;
  if (knownSeq !== null) return anchor;
  // A concurrent settlement of this requester's outcome either sees the record or is seen below.
  await lockRequesters.exclusive(tx, anchor.wallet);
  await insertLedgerRecords(tx, [{ record, place }]);
  const { seq, txHash } = place;
  const position =
    record.type === "anchor" ? { seq, txHash } : { revokedSeq: seq, revokedTxHash: txHash };
  await tx.update(anchors).set(position).where(eq(anchors.id, anchorId));
  if (record.type === "anchor" && anchor.revokeAskedAt) {
    // Revoked while its record was pending: the revocation can be recorded from now on.
    await core.publish(tx, [
      { id: `anchor-recorded:${anchorId}`, name: anchorChanged.name, data: { anchorId } },
    ]);
  }
  return anchor;
}

/** `withdrawn`: revoked before it was signed, so it is never recorded. */
export type AnchorProgress = "waiting" | "recorded" | "withdrawn";

/** Returns the progress of an anchor's record or, if it was revoked, of its revocation. */
export function getAnchorProgress(
  db: Database,
  anchorId: string,
): Promise<{ progress: AnchorProgress; anchor: Anchor }> {
  return db.transaction(async (tx) => {
    const find = () => tx.select().from(anchors).where(eq(anchors.id, anchorId));
    let [anchor] = await find();
    if (!anchor) throw new Error(`there is no anchor ${anchorId}`);
    if (anchor.revokeAskedAt && anchor.seq === null) {
      // A concurrent signer may have selected it before it was revoked.
      await lockSigning(tx);
      const isAnchorRecord = and(eq(recordings.kind, "anchor"), eq(recordings.subjectId, anchorId));
      const signed = await tx.$count(recordings, isAnchorRecord);
      [anchor = anchor] = await find();
      if (signed === 0) return { progress: "withdrawn", anchor };
    }
    const recorded = anchor.revokeAskedAt ? anchor.revokedSeq : anchor.seq;
    return { progress: recorded === null ? "waiting" : "recorded", anchor };
  });
}
