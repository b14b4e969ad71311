import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { PassThrough, type Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { OperationRefused } from "./refused";

export const headerSchema = z.object({
  format: z.literal("standing-backup/1"),
  at: z.iso.datetime(),
  schema: z.string(),
  chainId: z.int(),
  registryAddress: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});
/** The first line. */
export type BackupHeader = z.infer<typeof headerSchema>;

/** After the rows of each table: how many, and the SHA-256 of their lines. */
const trailerSchema = z.object({ rows: z.int(), sha256: z.string() });
export type Trailer = z.infer<typeof trailerSchema>;

/** Ends the rows of a table, as in Postgres's own format: no row can be it. */
const END_OF_ROWS = "\\.\n";
const END_OF_FILE = "end of backup";

/**
 * Writes `file` by `fill`, under another name until it is whole and on the disk. Only its owner may
 * read it. Throws `OperationRefused` where there is such a file already.
 */
export async function writeBackup(
  file: string,
  fill: (write: (chunk: string | Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (await stat(file).catch(() => null)) {
    throw new OperationRefused(`${file} is there already: name another file.`);
  }
  const partial = `${file}.partial-${process.pid}`;
  const source = new PassThrough();
  const written = pipeline(
    source,
    createGzip(),
    createWriteStream(partial, { mode: 0o600, flags: "wx" }),
  );
  try {
    const failed = written.then(() => undefined);
    failed.catch(() => {});
    await fill(async (chunk) => {
      if (!source.write(chunk)) await Promise.race([once(source, "drain"), failed]);
    });
    source.end(`${END_OF_FILE}\n`);
    await written;
    const handle = await open(partial, "r+");
    await handle.sync();
    await handle.close();
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
 * Writes the rows of one table, as `COPY … TO STDOUT` gives them, with their count and hash. Reads them
 * to their end also where they cannot be written: the driver would wait for ever for who stops before.
 */
export async function writeRows(
  write: (chunk: string | Buffer) => Promise<void>,
  rows: Readable,
): Promise<Trailer> {
  const hash = createHash("sha256");
  let count = 0;
  let failure: { error: unknown } | undefined;
  for await (const row of rows as AsyncIterable<Buffer>) {
    hash.update(row);
    count += newlines(row);
    if (failure) continue;
    await write(row).catch((error: unknown) => {
      failure = { error };
    });
  }
  // The driver holds the connection back where the last rows fill its buffer, and lets go only when
  // it is asked for more.
  rows._read(0);
  if (failure) throw failure.error;
  const trailer = { rows: count, sha256: hash.digest("hex") };
  await write(END_OF_ROWS);
  await write(`${JSON.stringify(trailer)}\n`);
  return trailer;
}

function newlines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

/** A backup that is read from its beginning to its end. */
export interface BackupReader {
  header: BackupHeader;
  /** The rows of the next table, in the order of the header. Throws where they are not what was written. */
  rows(): AsyncGenerator<Buffer>;
  /** Throws where the file does not end as a whole one does. */
  end(): Promise<void>;
}

/** Opens a backup. Throws `OperationRefused` where the file is none. */
export async function readBackup(file: string): Promise<BackupReader> {
  const lines = linesOf(unpacked(file));
  const next = async () => {
    try {
      const { value, done } = await lines.next();
      if (!done) return value;
    } catch {
      // Cut off, or no such file: told below.
    }
    throw broken(file);
  };
  const parsed = headerSchema.safeParse(json(await next()));
  if (!parsed.success) throw broken(file);
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
      const trailer = trailerSchema.safeParse(json(await next())).data;
      if (trailer?.rows !== count || trailer.sha256 !== hash.digest("hex")) throw broken(file);
    },
    async end() {
      if ((await next()).toString().trimEnd() !== END_OF_FILE) throw broken(file);
    },
  };
}

const END = Buffer.from(END_OF_ROWS);
const BATCH_BYTES = 65_536;

/** What cannot be opened or unpacked shows where it is read. */
function unpacked(file: string) {
  const gunzip = createGunzip();
  pipeline(createReadStream(file), gunzip).catch(() => {});
  return gunzip;
}

const broken = (file: string) =>
  new OperationRefused(`${file} is no whole backup: it is missing, cut off, or was changed.`);

function json(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return null;
  }
}

/** Each with its newline. By bytes: what JavaScript's own readers take for ends of lines may be data. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
