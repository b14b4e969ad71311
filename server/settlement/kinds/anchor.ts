import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { RecordOf } from "@/server/chain/registry/ledger";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import type { Core, Transaction } from "@/server/lib/context";
import type { Anchor } from "@/server/reputation/anchors";
import { anchorChanged } from "@/server/reputation/events";
import { anchors, ledgerRecords, reputationHistory } from "@/server/reputation/tables";
import { insertPlaceholderAgent, toDate } from "./rebuild";
import {
  type ConfirmedRecord,
  findRecords,
  insertLedgerRecords,
  lockRequesters,
  type RecordKind,
  rescore,
  type Settlement,
  whereUnrecorded,
} from "./record-kind";

const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000);

const pendingAnchors = {
  table: anchors,
  since: anchors.createdAt,
  where: and(
    isNull(anchors.seq),
    // An anchor revoked before its record needs none.
    isNull(anchors.revokeAskedAt),
    whereUnrecorded("anchor", anchors.id),
  ),
};

/** The operator's trust in a requester. */
export const anchorKind: RecordKind<"anchor"> = {
  pending: pendingAnchors,
  find: (tx, selection) =>
    findRecords(tx, pendingAnchors, selection, ({ wallet, from, until }) => ({
      type: "anchor",
      wallet,
      from: toSeconds(from),
      until: until && toSeconds(until),
    })),
  settle: (core, tx, [settlement]) => storePosition(core, tx, settlement),
  finish: rescoreContractors,
  async import(core, tx, confirmed) {
    const { record } = confirmed;
    await insertPlaceholderAgent(tx, record.wallet, toDate(record.from));
    const subjectId = await findOrInsertAnchor(tx, record);
    await storePosition(core, tx, { ...confirmed, subjectId });
    return [subjectId];
  },
  updateTxHash: (tx, from, to) =>
    tx.update(anchors).set({ txHash: to }).where(inArray(anchors.txHash, from)),
};

const pendingRevocations = {
  table: anchors,
  since: anchors.revokeAskedAt,
  where: and(
    isNotNull(anchors.seq),
    isNotNull(anchors.revokeAskedAt),
    isNull(anchors.revokedSeq),
    whereUnrecorded("anchor-revoked", anchors.id),
  ),
};

/** The end of that trust, also for the past. */
export const revocationKind: RecordKind<"anchor-revoked"> = {
  pending: pendingRevocations,
  find: (tx, selection) =>
    findRecords(tx, pendingRevocations, selection, ({ seq }) =>
      seq === null ? null : { type: "anchor-revoked", anchorSeq: seq },
    ),
  settle: (core, tx, [settlement]) => storePosition(core, tx, settlement),
  finish: rescoreContractors,
  async import(core, tx, confirmed) {
    const { record, now } = confirmed;
    const [anchor] = await tx
      .update(anchors)
      .set({
        revokeAskedAt: sql`coalesce(${anchors.revokeAskedAt}, ${now.toISOString()}::timestamptz)`,
      })
      .where(eq(anchors.seq, record.anchorSeq))
      .returning({ id: anchors.id });
    if (!anchor) throw new Error(`record ${record.anchorSeq} has no anchor`);
    await storePosition(core, tx, { ...confirmed, subjectId: anchor.id });
    return [anchor.id];
  },
  updateTxHash: (tx, from, to) =>
    tx.update(anchors).set({ revokedTxHash: to }).where(inArray(anchors.revokedTxHash, from)),
};

/** Inserts the record into the ledger and stores its position with the anchor. */
async function storePosition(
  core: Pick<Core, "publish">,
  tx: Transaction,
  { subjectId: anchorId, record, place }: Settlement<"anchor" | "anchor-revoked">,
): Promise<undefined> {
  const [anchor] = await tx.select().from(anchors).where(eq(anchors.id, anchorId)).for("update");
  if (!anchor || (record.type === "anchor" && record.wallet !== anchor.wallet)) {
    throw new Error(`record ${place.seq} is not that of anchor ${anchorId}`);
  }
  const knownSeq = record.type === "anchor" ? anchor.seq : anchor.revokedSeq;
  if (knownSeq !== null) return;
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
}

async function findOrInsertAnchor(tx: Transaction, record: RecordOf<"anchor">): Promise<string> {
  const [from, until] = [toDate(record.from), record.until === null ? null : toDate(record.until)];
  const isSameAnchor = and(
    eq(anchors.wallet, record.wallet),
    eq(anchors.from, from),
    isNull(anchors.seq),
  );
  const [known] = await tx.select({ id: anchors.id }).from(anchors).where(isSameAnchor);
  if (known) return known.id;
  const [inserted] = await tx
    .insert(anchors)
    .values({ wallet: record.wallet, from, until, createdAt: from })
    .returning({ id: anchors.id });
  if (!inserted) throw new Error("the anchor was not inserted");
  return inserted.id;
}

/** Small, so that the locks of one batch are held briefly. */
const BATCH = 50;
/** Leaves time for the rest of a reconciliation; the next one continues. */
const TIME_BUDGET_MS = 20_000;

/** There are more contractors than one call can rescore. */
export class RescoreUnfinished extends Error {
  override name = "RescoreUnfinished";
}

/**
 * Updates the score of every contractor with an outcome in the range of the anchor that the record set
 * or revoked, in ascending order of wallets, and publishes the changes. Contractors with a history
 * entry for this record are skipped, so it is safe to repeat or to run concurrently. Throws
 * `RescoreUnfinished` if time runs out.
 */
async function rescoreContractors(
  core: Core,
  { place: { seq }, now }: ConfirmedRecord<"anchor" | "anchor-revoked">,
): Promise<void> {
  const isRecorded = or(eq(anchors.seq, seq), eq(anchors.revokedSeq, seq));
  const [anchor] = await core.db.select().from(anchors).where(isRecorded);
  if (!anchor) throw new Error(`record ${seq} has no anchor`);
  const end = Date.now() + TIME_BUDGET_MS;
  for (let after = ""; ; ) {
    const wallets = await core.db.transaction(async (tx) => {
      await acquireAdvisoryLock(tx, `rescore:${seq}`);
      const rows = await tx.execute<{ contractor: string }>(selectUnscored(anchor, seq, after));
      const wallets = rows.map(({ contractor }) => contractor);
      await rescore(core, tx, wallets, { cause: "anchor", seq, now });
      return wallets;
    });
    const last = wallets.at(-1);
    if (last === undefined || wallets.length < BATCH) break;
    after = last;
    if (Date.now() > end) throw new RescoreUnfinished(`record ${seq}: more to rescore`);
  }
  core.log.info({ anchorId: anchor.id, seq }, "settled an anchor");
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
