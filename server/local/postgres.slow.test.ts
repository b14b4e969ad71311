import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "@/server/testing/engine/engine";
import { findRunningPostgres, type LocalPostgres, startPostgres } from "./postgres";
import { isAlive } from "./process";

let folder: string;
const started: LocalPostgres[] = [];

beforeEach(async () => {
  const above = await mkdtemp(join(tmpdir(), "standing-postgres-test-"));
  await chmod(above, 0o755);
  folder = join(above, "postgres");
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  await rm(join(folder, ".."), { recursive: true, force: true });
});

async function start(options: { port?: number; folder?: string; durable?: boolean } = {}) {
  const server = await startPostgres({ folder, durable: false, ...options });
  started.push(server);
  return server;
}

async function query<T>(server: LocalPostgres, statement: string): Promise<T[]> {
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe(statement))] as T[];
  } finally {
    await sql.end();
  }
}

const getPort = ({ url }: LocalPostgres) => Number(new URL(url).port);

test("keeps its data across a stop and a kill, and reuses a given port", async () => {
  const first = await start();
  await query(first, "create table kept (n int); insert into kept values (1)");
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);

  const second = await start({ durable: true });
  await query(second, "insert into kept values (2)");
  process.kill(second.pid, "SIGKILL");
  await waitFor(async () => !isAlive(second.pid));

  const third = await start({ port: getPort(second) });
  expect(getPort(third)).toBe(getPort(second));
  expect(await query(third, "select n from kept order by n")).toEqual([{ n: 1 }, { n: 2 }]);
});

test("a durable server uses a share of the memory, a temporary one little", async () => {
  const readBuffers = async (server: LocalPostgres) =>
    (await query<{ bytes: string }>(
      server,
      "select pg_size_bytes(current_setting('shared_buffers'))::text as bytes",
    ).then(([row]) => Number(row?.bytes))) /
    2 ** 20;
  const temporary = await start();
  expect(await readBuffers(temporary)).toBe(128);
  await temporary.stop();
  const memory = Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 2 ** 20;
  const durable = await readBuffers(await start({ durable: true }));
  expect(durable).toBe(Math.min(Math.max(Math.floor(memory / 4), 128), 8_192));
});

test("reuses a server that an earlier process left running", async () => {
  const first = await start();
  const second = await start();
  expect(second).toMatchObject({ pid: first.pid, url: first.url });
});

test("starts despite a PID file that names an unrelated process", async () => {
  const first = await start();
  await first.stop();
  const file = join(first.folder, "cluster", "postmaster.pid");
  await writeFile(
    file,
    [process.pid, join(first.folder, "cluster"), 1, getPort(first), "", "127.0.0.1"].join("\n"),
  );
  const second = await start();
  expect((await readFile(file, "utf8")).split("\n")[0]).toBe(String(second.pid));
});

test("starts below an inaccessible folder and finds its data again", async () => {
  const closed = join(folder, "..", "closed");
  await mkdir(closed, { mode: 0o700 });
  const first = await start({ folder: join(closed, "postgres") });
  await query(first, "create table kept (n int)");
  await first.stop();
  const second = await start({ folder: join(closed, "postgres") });
  expect(second.folder).toBe(first.folder);
  expect(await query(second, "select count(*)::int as n from kept")).toEqual([{ n: 0 }]);
  await second.stop();
  await rm(second.folder, { recursive: true, force: true });
});

test("throws a one-sentence error if it cannot start", async () => {
  const first = await start();
  await first.stop();
  await writeFile(join(first.folder, "cluster", "PG_VERSION"), "17\n");
  await expect(start()).rejects.toThrow(
    /^PostgreSQL did not start: .*incompatible.* Its log is .*\.$/,
  );
});

test("finds the database of a running local mode, even in another folder", async () => {
  expect(await findRunningPostgres(folder)).toBeNull();
  const server = await start();
  expect(await findRunningPostgres(folder)).toBe(server.url);

  const project = join(folder, "..", "project");
  await mkdir(project);
  await writeFile(join(project, "lies-in"), `${server.folder}\n`);
  expect(await findRunningPostgres(project)).toBe(server.url);

  await server.stop();
  expect(await findRunningPostgres(folder)).toBeNull();
});
