import { sql } from "drizzle-orm";
import type { ChainInfo, Database, Sql } from "@/server/lib/context";
import { type BackupHeader, writeBackup, writeRows } from "./backup-file";

/** A table with everything needed to copy it. */
export type BackupTable = {
  /** Quoted, with its schema. */
  name: string;
  /** Quoted, in order, without generated columns. */
  columns: string[];
};

const SCHEMAS = ["public", "graphile_worker"];
/** Transient state (sessions, nonces, rate limits), left out of backups. */
const TRANSIENT_TABLES = ["public.sessions", "public.auth_nonces", "public.rate_limit_windows"];
/** Belongs to the installed code, which creates it. */
const CODE_TABLES = ["graphile_worker.migrations"];

/** Returns the tables in a backup, each after those that it references. */
export async function listBackupTables(db: Sql): Promise<BackupTable[]> {
  const rows = await db.execute<BackupTable & { id: string; refers: string[] }>(sql`
    select n.nspname || '.' || c.relname as id, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
      array(
        select quote_ident(attname) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum
      ) as columns,
      array(
        select rn.nspname || '.' || rc.relname from pg_constraint k
        join pg_class rc on rc.oid = k.confrelid join pg_namespace rn on rn.oid = rc.relnamespace
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
      ) as refers
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ${SCHEMAS}
    order by 1`);
  const left = rows.filter(({ id }) => ![...TRANSIENT_TABLES, ...CODE_TABLES].includes(id));
  const ordered: BackupTable[] = [];
  const done = new Set<string>();
  while (left.length > 0) {
    const at = left.findIndex(({ refers }) =>
      refers.every((id) => done.has(id) || !left.some((other) => other.id === id)),
    );
    const [table] = left.splice(at, 1);
    if (at < 0 || !table) throw new Error("tables reference each other in a cycle");
    done.add(table.id);
    ordered.push({ name: table.name, columns: table.columns });
  }
  return ordered;
}

/** The current value of a sequence, as `setval` takes it. */
export type Sequence = {
  name: string;
  value: string;
  isCalled: boolean;
};

export async function readSequences(db: Sql): Promise<Sequence[]> {
  const names = await db.execute<{ name: string }>(sql`
    select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name
    from pg_sequences where schemaname in ${SCHEMAS} order by 1`);
  return Promise.all(
    names.map(async ({ name }) => {
      const [row] = await db.execute<{ value: string; isCalled: boolean }>(
        sql`select last_value::text as value, is_called as "isCalled" from ${sql.raw(name)}`,
      );
      if (!row) throw new Error(`cannot read the sequence ${name}`);
      return { name, value: row.value, isCalled: row.isCalled };
    }),
  );
}

/** Returns the schema version: the last migration of the service and of its queue. */
export async function readSchemaVersion(db: Sql): Promise<string> {
  const [row] = await db.execute<{ own: string; queue: number }>(sql`
    select (select hash from drizzle.__drizzle_migrations order by created_at desc limit 1) as own,
      (select max(id) from graphile_worker.migrations) as queue`);
  return `${row?.own}/${row?.queue}`;
}

export interface Backup {
  tables: number;
  rows: number;
}

/**
 * Writes a consistent snapshot of the database into one compressed file while the service runs.
 * Secrets are included as stored: webhook secrets sealed by `SECRET_KEY`, API keys as hashes, and
 * the texts of outcomes as they are. Throws `OperationRefused` if the file exists.
 */
export async function backup(
  { db, chain }: { db: Database; chain: Pick<ChainInfo, "id" | "registryAddress"> },
  { file, now }: { file: string; now: Date },
): Promise<Backup> {
  let rows = 0;
  let tables = 0;
  await writeBackup(file, (write) =>
    db.transaction(
      async (tx) => {
        const header: BackupHeader = {
          format: "standing-backup/1",
          at: now.toISOString(),
          schema: await readSchemaVersion(tx),
          chainId: chain.id,
          registryAddress: chain.registryAddress,
          tables: await listBackupTables(tx),
          // Sequences are not part of a snapshot: read after it is taken, they are ahead of every
          // copied row.
          sequences: await readSequences(tx),
        };
        await write(`${JSON.stringify(header)}\n`);
        for (const { name, columns } of header.tables) {
          const copy = `copy ${name} (${columns.join(", ")}) to stdout`;
          rows += (await writeRows(write, await tx.sql.unsafe(copy).readable())).rows;
          tables += 1;
        }
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    ),
  );
  return { tables, rows };
}
