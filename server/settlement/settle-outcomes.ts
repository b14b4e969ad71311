import { and, eq, sql } from "drizzle-orm";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { pipeline } from "@/server/db/pipeline";
import type { Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { isDecided } from "@/server/reputation/score/weigh-outcome";
import { addOutcomes } from "@/server/reputation/update";
import { outcomeResolved } from "./events";
import { type ConfirmedRecord, insertLedgerRecords, lockRequesters } from "./insert-ledger-records";

/**
 * Settles confirmed outcome records inside the caller's transaction, with few statements for all:
 * resolves the outcomes, inserts the records into the ledger, updates the contractors' scores and
 * histories in the given order and publishes the events. Skips outcomes that are resolved already.
 * Returns whether records that waited for them can follow: a takeover waits for the submissions of the
 * registration that it ended, and the mark of a superseded outcome for both outcomes.
 */
export async function settleOutcomes(
  core: Pick<Core, "publish">,
  tx: Transaction,
  confirmed: readonly ConfirmedRecord<OutcomeRecord>[],
  now: Date,
): Promise<boolean> {
  const resolved = await resolveOutcomes(tx, confirmed);
  const settled = confirmed.filter(({ record }) => resolved.has(record.id));
  if (settled.length === 0) return false;
  await pipeline(tx, [
    () => lockRequesters.shared(tx, settled.flatMap(listAffecting)),
    () => insertLedgerRecords(tx, settled),
  ]);
  const updates = await addOutcomes(tx, settled, now);
  await core.publish(
    tx,
    updates.flatMap(({ scoreImpact, event }, index) => {
      const outcomeId = settled[index]?.record.id;
      const { name } = outcomeResolved;
      const resolution = {
        id: `outcome-resolved:${outcomeId}`,
        name,
        data: { outcomeId, scoreImpact },
      };
      return event ? [resolution, event] : [resolution];
    }),
  );
  return [...resolved.values()].includes(true);
}

/** Returns the wallets whose anchors and takeovers decide what an outcome weighs. */
function listAffecting({ record }: ConfirmedRecord<OutcomeRecord>): string[] {
  const { requester, contractor, proven } = record;
  return proven ? [requester] : [requester, contractor];
}

/** Resolves pending outcomes as recorded. Returns, by id, whether another record may wait for them. */
async function resolveOutcomes(
  tx: Transaction,
  confirmed: readonly ConfirmedRecord<OutcomeRecord>[],
): Promise<Map<string, boolean>> {
  const rows = confirmed.map(({ record, place }) => ({
    id: record.id,
    proven: record.proven,
    verdict: record.verdict,
    assessed: isDecided(record),
    resolvedAt: record.resolvedAt,
    txHash: place.txHash,
    logIndex: place.logIndex,
  }));
  const resolved = await tx
    .update(outcomes)
    .set({
      status: "RESOLVED",
      proven: sql`settled.proven`,
      resolvedAt: sql`to_timestamp(settled."resolvedAt")`,
      onChainTx: sql`settled."txHash"`,
      recordIndex: sql`settled."logIndex"`,
      finalVerdict: sql`settled.verdict`,
      assessed: sql`settled.assessed`,
    })
    .from(
      sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as settled (
        id uuid, proven boolean, verdict text, assessed boolean, "resolvedAt" bigint,
        "txHash" text, "logIndex" integer
      )`,
    )
    .where(and(eq(outcomes.id, sql`settled.id`), eq(outcomes.status, "EVALUATING")))
    .returning({
      id: outcomes.id,
      isAwaited: sql<boolean>`${outcomes.submitterAgentId} is null or ${outcomes.supersededBy} is not null
        or exists (select from ${outcomes} as older where older.superseded_by = ${outcomes}.id)`,
    })
    .prepare("resolve_outcomes")
    .execute();
  return new Map(resolved.map(({ id, isAwaited }) => [id, isAwaited]));
}
