import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "drizzle-orm";
import type { Database, Transaction } from "@/server/lib/context";
import { OperationRefused } from "@/server/operations/operation-refused";
import {
  type BackupHeader,
  type BackupReader,
  listBackupTables,
  openBackup,
  readSchemaVersion,
} from "./backup";
import {
  type ChainCore,
  importFromChain,
  type Progress,
  type Rebuilt,
  refreshAllScores,
} from "./rebuild";

export interface Restored extends Rebuilt {
  /** When the backup was made. */
  at: string;
  tables: number;
}

/**
 * Fills an empty, migrated database from a backup and brings it up to the chain, in one
 * transaction: records and payments made after the backup are imported before anything can be
 * recorded or paid again. Then recomputes the scores as of `now`. Throws `OperationRefused`,
 * without changes, if the file is not a complete backup, is of another schema or chain, or the
 * database is not empty.
 */
export async function restore(
  core: ChainCore,
  { file, now, progress }: { file: string; now: Date; progress?: Progress },
): Promise<Restored> {
  const reader = await openBackup(file);
  const { header } = reader;
  requireSameChain(header, core);
  const restored = await core.db.transaction(async (tx) => {
    await requireSameSchema(tx, header);
    await requireEmptyDatabase(tx, header);
    for (const table of header.tables) await restoreTable(tx, table, reader);
    await reader.end();
    for (const { name, value, isCalled } of header.sequences) {
      await tx.execute(sql`select setval(${name}::regclass, ${value}::bigint, ${isCalled})`);
    }
    // A nested transaction is a savepoint, so the restore stays atomic.
    return importFromChain({ ...core, db: tx as unknown as Database }, progress);
  });
  await refreshAllScores(core, now);
  return { ...restored, at: header.at, tables: header.tables.length };
}

async function restoreTable(
  tx: Transaction,
  { name, columns }: BackupHeader["tables"][number],
  reader: BackupReader,
): Promise<void> {
  // The rows that triggers maintain are in the backup, too.
  await tx.sql.unsafe(`alter table ${name} disable trigger user`);
  const into = await tx.sql.unsafe(`copy ${name} (${columns.join(", ")}) from stdin`).writable();
  await pipeline(Readable.from(reader.rows()), into);
  await tx.sql.unsafe(`alter table ${name} enable trigger user`);
}

function requireSameChain(header: BackupHeader, { chain }: ChainCore): void {
  if (header.chainId === chain.id && header.registryAddress === chain.registryAddress) return;
  throw new OperationRefused(
    `The backup belongs to registry ${header.registryAddress} on chain ${header.chainId}, this service to ${chain.registryAddress} on chain ${chain.id}.`,
  );
}

async function requireSameSchema(tx: Transaction, header: BackupHeader): Promise<void> {
  const [schema, tables] = [await readSchemaVersion(tx), await listBackupTables(tx)];
  if (header.schema === schema && JSON.stringify(header.tables) === JSON.stringify(tables)) return;
  const difference =
    findDifference(header.tables, tables, "only the backup has") ??
    findDifference(tables, header.tables, "the backup lacks") ??
    "their last migrations differ";
  throw new OperationRefused(
    `The backup was made by another version: ${difference}. Restore it with that version, then start this one.`,
  );
}

type Tables = BackupHeader["tables"];

/** Names the first table or column of `tables` that `others` lacks; null if there is none. */
function findDifference(tables: Tables, others: Tables, verb: string): string | null {
  for (const { name, columns } of tables) {
    const other = others.find((one) => one.name === name);
    if (!other) return `${verb} the table ${name}`;
    const column = columns.find((one) => !other.columns.includes(one));
    if (column) return `${verb} the column ${column} of ${name}`;
  }
  return null;
}

async function requireEmptyDatabase(tx: Transaction, { tables }: BackupHeader): Promise<void> {
  for (const { name } of tables) {
    const [row] = await tx.execute(sql`select 1 from ${sql.raw(name)} limit 1`);
    if (!row) continue;
    throw new OperationRefused(
      `The database is not empty: ${name} has rows. Restore into a new database that no service has used.`,
    );
  }
}
