import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, readdirSync, readFileSync } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { MIGRATIONS } from "@/server/db/migrate";
import type { ChainInfo, Database, Sql } from "@/server/lib/context";
import { OperationRefused } from "@/server/operations/operation-refused";

/** A table with everything needed to copy it. */
type BackupTable = {
  /** Quoted, with its schema. */
  name: string;
  /** Quoted, in order, without generated columns. */
  columns: string[];
};

/** Transient state (sessions, nonces, keys of a day, rate limits), left out of backups. */
const TRANSIENT_TABLES = [
  "public.sessions",
  "public.auth_nonces",
  "public.idempotency_keys",
  "public.rate_limit_windows",
];

/** Returns the service's own tables, such as `public.agents`: those of the newest migration. */
function listOwnTables(): Set<string> {
  const folder = join(MIGRATIONS, "meta");
  const snapshots = readdirSync(folder).filter((name) => name.endsWith("_snapshot.json"));
  const text = readFileSync(join(folder, snapshots.sort().at(-1) ?? ""), "utf8");
  return new Set(Object.keys((JSON.parse(text) as { tables: object }).tables));
}

/**
 * Returns the tables in a backup, each after those that it references. Tables of others in the same
 * schema are left out.
 */
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
    where c.relkind = 'r' and n.nspname = 'public'
    order by 1`);
  const own = listOwnTables();
  const left = rows.filter(({ id }) => own.has(id) && !TRANSIENT_TABLES.includes(id));
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
type Sequence = {
  name: string;
  value: string;
  isCalled: boolean;
};

async function readSequences(db: Sql): Promise<Sequence[]> {
  const sequences = await db.execute<{ name: string; table: string }>(sql`
    select quote_ident(n.nspname) || '.' || quote_ident(s.relname) as name,
      n.nspname || '.' || t.relname as table
    from pg_class s join pg_namespace n on n.oid = s.relnamespace
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    where s.relkind = 'S' and n.nspname = 'public' order by 1`);
  const own = listOwnTables();
  return Promise.all(
    sequences
      .filter(({ table }) => own.has(table))
      .map(async ({ name }) => {
        const [row] = await db.execute<{ value: string; isCalled: boolean }>(
          sql`select last_value::text as value, is_called as "isCalled" from ${sql.raw(name)}`,
        );
        if (!row) throw new Error(`cannot read the sequence ${name}`);
        return { name, value: row.value, isCalled: row.isCalled };
      }),
  );
}

/** Returns the schema version: the last migration. */
export async function readSchemaVersion(db: Sql): Promise<string> {
  const [row] = await db.execute<{ hash: string }>(sql`
    select hash from drizzle.__drizzle_migrations order by created_at desc limit 1`);
  return String(row?.hash);
}

interface Backup {
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

const headerSchema = z.object({
  format: z.literal("standing-backup/1"),
  at: z.iso.datetime(),
  schema: z.string(),
  chainId: z.int(),
  registryAddress: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});
/** First line of a backup. */
export type BackupHeader = z.infer<typeof headerSchema>;

/** Follows the rows of each table: their count, and the SHA-256 of their lines. */
const trailerSchema = z.object({ rows: z.int(), sha256: z.string() });
type Trailer = z.infer<typeof trailerSchema>;

/** Ends the rows of a table, as in Postgres's own format. No row can equal it. */
const END_OF_ROWS = "\\.\n";
const END_OF_FILE = "end of backup";

/**
 * Writes `file` through `fill`, under a temporary name until it is complete and synced to disk. Only
 * its owner may read it. Throws `OperationRefused` if the file exists.
 */
async function writeBackup(
  file: string,
  fill: (write: (chunk: string | Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (await stat(file).catch(() => null)) {
    throw new OperationRefused(`${file} already exists. Choose another file.`);
  }
  const partial = `${file}.partial-${process.pid}`;
  const source = new PassThrough();
  const written = pipeline(
    source,
    createGzip(),
    createWriteStream(partial, { mode: 0o600, flags: "wx", flush: true }),
  );
  try {
    const failed = written.then(() => undefined);
    failed.catch(() => {});
    await fill(async (chunk) => {
      if (!source.write(chunk)) await Promise.race([once(source, "drain"), failed]);
    });
    source.end(`${END_OF_FILE}\n`);
    await written;
    await rename(partial, file);
  } catch (error) {
    source.destroy();
    await finished(source).catch(() => {});
    await written.catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Writes the rows of one table, as `COPY … TO STDOUT` returns them, with their count and hash.
 * Reads the rows to the end even if a write fails, because the driver would otherwise wait forever.
 */
async function writeRows(
  write: (chunk: string | Buffer) => Promise<void>,
  rows: Readable,
): Promise<Trailer> {
  const hash = createHash("sha256");
  let count = 0;
  let failure: { error: unknown } | undefined;
  for await (const row of rows as AsyncIterable<Buffer>) {
    hash.update(row);
    count += countNewlines(row);
    if (failure) continue;
    await write(row).catch((error: unknown) => {
      failure = { error };
    });
  }
  // If the last rows fill its buffer, the driver keeps the connection until more is read.
  rows._read(0);
  if (failure) throw failure.error;
  const trailer = { rows: count, sha256: hash.digest("hex") };
  await write(END_OF_ROWS);
  await write(`${JSON.stringify(trailer)}\n`);
  return trailer;
}

function countNewlines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

/** Reads a backup sequentially. */
export interface BackupReader {
  header: BackupHeader;
  /**
   * Yields the rows of the next table, in the header's order. Throws if they are not as written.
   */
  rows(): AsyncGenerator<Buffer>;
  /** Throws if the file is incomplete. */
  end(): Promise<void>;
}

/** Opens a backup. Throws `OperationRefused` if the file is not a backup. */
export async function openBackup(file: string): Promise<BackupReader> {
  const lines = splitLines(openUnpacked(file));
  const next = async () => {
    try {
      const { value, done } = await lines.next();
      if (!done) return value;
    } catch {
      // The file is truncated or missing: the error is thrown below.
    }
    throw createBrokenFileError(file);
  };
  const parsed = headerSchema.safeParse(parseJsonOrNull(await next()));
  if (!parsed.success) throw createBrokenFileError(file);
  return {
    header: parsed.data,
    async *rows() {
      const hash = createHash("sha256");
      let count = 0;
      let batch: Buffer[] = [];
      let size = 0;
      for (let line = await next(); !line.equals(END); line = await next()) {
        hash.update(line);
        count += 1;
        batch.push(line);
        size += line.length;
        if (size < BATCH_BYTES) continue;
        yield Buffer.concat(batch);
        [batch, size] = [[], 0];
      }
      if (size > 0) yield Buffer.concat(batch);
      const trailer = trailerSchema.safeParse(parseJsonOrNull(await next())).data;
      if (trailer?.rows !== count || trailer.sha256 !== hash.digest("hex"))
        throw createBrokenFileError(file);
    },
    async end() {
      if ((await next()).toString().trimEnd() !== END_OF_FILE) throw createBrokenFileError(file);
    },
  };
}

const END = Buffer.from(END_OF_ROWS);
const BATCH_BYTES = 65_536;

/** Returns the unpacked stream. Errors of opening or unpacking surface when it is read. */
function openUnpacked(file: string) {
  const gunzip = createGunzip();
  pipeline(createReadStream(file), gunzip).catch(() => {});
  return gunzip;
}

const createBrokenFileError = (file: string) =>
  new OperationRefused(`${file} is not a complete backup: it is missing, truncated or modified.`);

function parseJsonOrNull(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return null;
  }
}

/**
 * Yields each line with its newline. Splits bytes, because JavaScript's line readers also split at
 * characters that may be data.
 */
async function* splitLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const end = chunk.subarray(from, at + 1);
      yield rest.length > 0 ? Buffer.concat([...rest, end]) : end;
      [rest, from] = [[], at + 1];
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
