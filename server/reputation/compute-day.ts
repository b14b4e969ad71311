import { type SQL, sql } from "drizzle-orm";
import { pipeline } from "@/server/db/pipeline";
import type { Sql, Transaction } from "@/server/lib/context";
import { inWorker } from "@/server/lib/process/worker-pool";
import { computeFromLedger } from "./compute-from-ledger";
import { ROW_TO_READ } from "./evidence/evidence-row";
import { inWorkerIfLong } from "./evidence/in-worker-if-long";
import { replaceRows } from "./evidence/store";
import { whereAnnounced } from "./queries";
import { type ComputedChunk, parseState, refreshChunk, toChunk } from "./refresh-chunk";
import { ASSIGN_FRESH, REPUTATION_AS_JSON } from "./stored-rows";
import { reputationHistory, reputations } from "./tables";

const refreshChunkInWorker = inWorker<
  Parameters<typeof refreshChunk>,
  ReturnType<typeof refreshChunk>
>("server/reputation/refresh-chunk.ts", "refreshChunk", { pool: "scores" });

const refreshChunkInWorkerIfLong = inWorkerIfLong(refreshChunk, refreshChunkInWorker);

/** Reputations on a day, and the evidence that was computed from ledgers, as `replaceRows` takes it. */
interface ComputedDay extends ComputedChunk {
  evidence: { wallet: string; rows: string }[];
}

/**
 * Computes the reputations of wallets on the day of `now`: by their evidence, and those of which that
 * says too little by their ledgers. Only of wallets that have a reputation and that `where` selects.
 */
export async function computeDay(
  db: Sql,
  { wallets, now, where }: { wallets: string[]; now: Date; where?: SQL | undefined },
): Promise<ComputedDay[]> {
  const text = await readChunk(db, wallets, where);
  const { unresolved, ...byEvidence } = await refreshChunkInWorkerIfLong(text, now);
  const days = [{ ...byEvidence, evidence: [] as ComputedDay["evidence"] }];
  for (const entry of unresolved) {
    const { wallet } = entry.stored;
    const change = { wallet, cause: "day", now } as const;
    const { computed, rows } = await computeFromLedger(db, parseState(entry), change);
    days.push({ ...toChunk([computed]), evidence: [{ wallet, rows }] });
  }
  return days;
}

/** Reads the reputations of wallets that `where` selects, as `refreshChunk` needs them. */
async function readChunk(db: Sql, wallets: string[], where: SQL | undefined): Promise<string> {
  const [row] = await db.execute<{ chunk: string }>(sql`
    select coalesce(json_agg(json_build_object(
      'stored', json_build_object(${sql.raw(REPUTATION_AS_JSON)}),
      'announced', (
        select json_build_object('scoreE4', score_e_4, 'at', at) from ${reputationHistory}
        where ${reputationHistory.wallet} = ${reputations.wallet} and ${whereAnnounced}
        order by version desc limit 1
      ),
      'rows', case when (totals->>'version')::int = version then (
        select coalesce(json_agg(${sql.raw(ROW_TO_READ)}), '[]')
        from evidence where evidence.wallet = ${reputations.wallet}
      ) end
    ))::text, '[]') as chunk
    from ${reputations}
    where wallet = any(${sql.param(wallets)}::char(42)[]) and ${where ?? sql`true`}`);
  return row?.chunk ?? "[]";
}

/**
 * Stores computed reputations. No instance is notified: cached reputations of an earlier day are not
 * used, and those of the new day are equal to the stored ones.
 */
export async function storeDay(
  tx: Transaction,
  { rows, history, evidence }: ComputedDay,
): Promise<void> {
  await pipeline(tx, [
    () =>
      tx.execute(sql`
        update reputations as known set ${sql.raw(ASSIGN_FRESH)}
        from json_populate_recordset(null::reputations, ${rows}::json) as fresh
        where known.wallet = fresh.wallet`),
    () =>
      history !== null &&
      tx.execute(sql`
        insert into reputation_history
        select * from json_populate_recordset(null::reputation_history, ${history}::json)`),
    () => evidence.length > 0 && replaceRows(tx, evidence),
  ]);
}
