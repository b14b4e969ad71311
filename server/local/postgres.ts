import { type ChildProcess, execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import postgres from "postgres";
import { StartupError } from "@/server/lib/errors";
import { MINUTE_MS } from "@/server/lib/time";
import { findPostgres, isReachableByOthers, isRoot, ROOT_DATA_FOLDER } from "./installed-binaries";
import {
  endProcess,
  findFreePort,
  getCommandLine,
  isAlive,
  isUncollected,
  pollWhileAlive,
  spawnLogged,
} from "./process";

export interface LocalPostgres {
  url: string;
  pid: number;
  /** Folder of the cluster. */
  folder: string;
  stop(): Promise<void>;
}

interface Options {
  /** Folder for cluster, password and log; created if missing. */
  folder: string;
  /** Port to listen on; a free one by default. */
  port?: number | undefined;
  /** False for temporary databases: nothing is synced to disk. */
  durable?: boolean;
}

const MB = 2 ** 20;
/** More would make dropping a table, which scans all buffers, noticeably slower. */
const MAX_BUFFER_MB = 8_192;
const READY_WITHIN_MS = MINUTE_MS;
/** A fast shutdown writes everything to disk first. */
const STOPPED_WITHIN_MS = MINUTE_MS;

/**
 * Starts PostgreSQL 18 on 127.0.0.1, or reuses the one that an earlier process left running on the
 * same folder. Throws `StartupError` if it cannot start.
 */
export async function startPostgres({
  folder,
  port: fixedPort,
  durable = true,
}: Options): Promise<LocalPostgres> {
  const binaries = await findPostgres();
  const { home, user } = await preparePostgresFolder(folder);
  const cluster = join(home, "cluster");
  const passwordFile = join(home, "password");
  const logFile = join(home, "postgres.log");
  if (!existsSync(join(cluster, "PG_VERSION"))) {
    await rm(cluster, { recursive: true, force: true });
    await createCluster(binaries, cluster, passwordFile, user);
  }
  const password = (await readFile(passwordFile, "utf8")).trim();
  const urlAt = (port: number) => `postgres://standing:${password}@127.0.0.1:${port}/postgres`;
  const toServer = (pid: number, url: string): LocalPostgres => ({
    url,
    pid,
    folder: home,
    stop: () => endProcess(pid, "SIGINT", STOPPED_WITHIN_MS),
  });

  const running = await findRunningServer(cluster, urlAt);
  if (running) return toServer(running.pid, running.url);

  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await findFreePort());
    const child = launch({ binaries, cluster, logFile, port, durable, user });
    const url = urlAt(port);
    const isReady = await pollWhileAlive(child.pid, () => isResponding(url), READY_WITHIN_MS);
    if (child.pid && isReady) return toServer(child.pid, url);
    const failure = await describeFailure(logFile);
    // A killed postmaster's children may hold its shared memory for some seconds.
    if (attempt === (failure.includes("still in use") ? 20 : 3)) throw new StartupError(failure);
    await pause(Math.min(attempt * 250, 2_000));
  }
}

async function createCluster(
  binaries: string,
  cluster: string,
  passwordFile: string,
  user: User | undefined,
): Promise<void> {
  await writeFile(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  const partial = `${cluster}.new`;
  await rm(partial, { recursive: true, force: true });
  // --no-sync: the first checkpoint of the server that follows syncs the files.
  await promisify(execFile)(
    join(binaries, "bin", "initdb"),
    [
      ["-D", partial],
      ["-U", "standing"],
      ["-A", "scram-sha-256"],
      [`--pwfile=${passwordFile}`],
      ["-E", "UTF8"],
      ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      ["--no-sync"],
    ].flat(),
    { ...user, cwd: dirname(cluster) },
  ).catch(({ stderr, message }: { stderr?: string; message: string }) => {
    const reason = stderr?.trimEnd().split("\n").at(-1) || message;
    throw new StartupError(`PostgreSQL could not set up ${cluster}: ${reason}`);
  });
  // Renamed only when complete, so that an interrupted first start leaves no partial cluster.
  await rename(partial, cluster);
}

interface Launch {
  binaries: string;
  cluster: string;
  logFile: string;
  port: number;
  durable: boolean;
  user: User | undefined;
}

function launch({ binaries, cluster, logFile, port, durable, user }: Launch): ChildProcess {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    jit: "off",
    max_connections: 200,
    ...(durable
      ? sizeForMachine()
      : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const args = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return spawnLogged(join(binaries, "bin", "postgres"), ["-D", cluster, ...args], {
    ...user,
    cwd: dirname(cluster),
    // Its own process group: Ctrl-C in the terminal must not end it before the service is done.
    detached: true,
    logFile,
    flags: "a",
  });
}

/**
 * Returns settings for the memory of the machine, or of the container. The defaults are for a machine
 * with a few hundred megabytes: with them, a refresh of a million scores rereads its indexes and
 * writes them to the log again and again.
 */
function sizeForMachine(): Record<string, string | number> {
  // Without a limit, it is 0 or more than any machine has.
  const memory = Math.min(process.constrainedMemory() || totalmem(), totalmem());
  // A quarter, as PostgreSQL recommends. It is reserved, but only used as pages fill it.
  const bufferMb = Math.min(Math.max(Math.floor(memory / 4 / MB), 128), MAX_BUFFER_MB);
  return {
    shared_buffers: `${bufferMb}MB`,
    effective_cache_size: `${2 * bufferMb}MB`,
    // The first change of a page after a checkpoint writes the whole page to the log, so frequent
    // checkpoints multiply the log. After a crash, up to this much is read again: about a minute.
    checkpoint_timeout: "15min",
    max_wal_size: `${Math.max(bufferMb, 1_024)}MB`,
    // The tables of queues change completely within seconds, and a young table is read as if it had
    // no rows until its first statistics.
    autovacuum_naptime: "5s",
    // On a solid-state disk a random read costs little more than a sequential one.
    random_page_cost: 1.1,
  };
}

async function isResponding(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Returns the server that already runs on this cluster. Removes a PID file that names an unrelated
 * process, which got the id after a crash: it would keep PostgreSQL from starting.
 */
async function findRunningServer(cluster: string, urlAt: (port: number) => string) {
  const file = join(cluster, "postmaster.pid");
  const lines = await readFile(file, "utf8").catch(() => "");
  const [pid, , , port] = lines.split("\n").map(Number);
  if (!pid) return null;
  if (!isAlive(pid)) {
    await waitUntilCollected(pid);
    return null;
  }
  const command = getCommandLine(pid);
  if (command && !command.includes(cluster)) {
    await rm(file, { force: true });
    return null;
  }
  if (!port) return null;
  // It may be recovering from a crash, or about to end.
  const url = urlAt(port);
  const isReady = await pollWhileAlive(pid, () => isResponding(url), READY_WITHIN_MS);
  return isReady ? { pid, url } : null;
}

/** Waits up to five seconds for an ended process to be collected: until then, PostgreSQL takes it for running. */
async function waitUntilCollected(pid: number): Promise<void> {
  for (let tries = 0; tries < 100 && isUncollected(pid); tries++) await pause(50);
}

async function describeFailure(logFile: string): Promise<string> {
  const log = await readFile(logFile, "utf8").catch(() => "");
  const fatal = log
    .trimEnd()
    .split("\n")
    .findLast((line) => /FATAL|PANIC|error/i.test(line));
  return `PostgreSQL did not start${fatal ? `: ${fatal.replace(/^.*?(FATAL|PANIC):\s*/, "")}` : ""}. Its log is ${logFile}.`;
}

interface User {
  uid: number;
  gid: number;
}

interface Home {
  home: string;
  /** The user Postgres runs as, if not the current one. */
  user: User | undefined;
}

/** Postgres refuses to run as root; this user owns nothing else. */
const UNPRIVILEGED_USER: User = { uid: 65_534, gid: 65_534 };

/**
 * Returns the folder that holds the cluster, and creates it if missing. As root, the user that
 * Postgres runs as must be able to reach it. A project below root's home is not reachable, so its
 * data goes below /var/lib, and a file in `folder` contains the path.
 */
async function preparePostgresFolder(folder: string): Promise<Home> {
  const wanted = resolve(folder);
  await mkdir(wanted, { recursive: true, mode: 0o755 });
  if (!isRoot()) return { home: wanted, user: undefined };
  const home = (await isReachableByOthers(dirname(wanted)))
    ? wanted
    : await createReachableFolder(wanted);
  // Keeps the owner of an existing cluster: Postgres insists on owning it.
  const cluster = await stat(join(home, "cluster")).catch(() => null);
  const user = cluster?.uid ? { uid: cluster.uid, gid: cluster.gid } : UNPRIVILEGED_USER;
  await chmod(home, 0o755);
  await chown(home, user.uid, user.gid);
  return { home, user };
}

async function createReachableFolder(wanted: string): Promise<string> {
  const note = join(wanted, "lies-in");
  const known = await readFile(note, "utf8").catch(() => "");
  if (known) return known.trim();
  await mkdir(ROOT_DATA_FOLDER, { recursive: true, mode: 0o755 });
  await chmod(ROOT_DATA_FOLDER, 0o755);
  const made = await mkdtemp(join(ROOT_DATA_FOLDER, "data-"));
  await writeFile(note, `${made}\n`);
  return made;
}

/**
 * Returns the URL of the PostgreSQL that a running local mode keeps in `folder`, or null if none
 * runs. Starts and changes nothing.
 */
export async function findRunningPostgres(folder: string): Promise<string | null> {
  const read = (file: string) => readFile(file, "utf8").catch(() => "");
  const home = (await read(join(folder, "lies-in"))).trim() || folder;
  const [pid, , , port] = (await read(join(home, "cluster", "postmaster.pid")))
    .split("\n")
    .map(Number);
  if (!pid || !port || !isAlive(pid)) return null;
  const password = (await read(join(home, "password"))).trim();
  return `postgres://standing:${password}@127.0.0.1:${port}/postgres`;
}
