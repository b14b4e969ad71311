import { randomBytes } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Hex } from "viem";
import { StartupError } from "@/server/lib/errors";
import { MINUTE_MS } from "@/server/lib/time";
import { getStartTime, isAlive } from "./process";

export interface DataFolder {
  path: string;
  /** Generated once and stored. Encrypts webhook secrets and signs sessions. */
  secretKey: string;
  /** Private key that signs score statements, generated once and stored. */
  statementKey: Hex;
  /** Makes processes that start now wait for the folder instead of giving up. */
  stopping(): void;
  release(): void;
}

interface Holder {
  pid: number;
  beginning: string | null;
  stopping: boolean;
  /** Where the service listens; missing if it is another program or an earlier version. */
  url?: string | undefined;
}

const STOPPED_WITHIN_MS = MINUTE_MS;
/** A killed process may take a moment to exit. */
const EXITED_WITHIN_MS = 3_000;

/**
 * Locks the data folder for this process, and waits if it is being released. Throws `StartupError`
 * if it cannot be written or another running service holds it.
 * @param url Where this service listens, for the commands that call it.
 */
export async function openDataFolder(folder: string, url?: string): Promise<DataFolder> {
  const path = resolve(folder);
  const lock = join(path, "service.json");
  const beginning = getStartTime(process.pid);
  const me: Holder = { pid: process.pid, beginning, stopping: false, url };
  try {
    createFolder(path);
    await acquireLock(path, lock, me);
    return {
      path,
      secretKey: loadOrCreateSecret(join(path, "secret-key")),
      statementKey: `0x${loadOrCreateSecret(join(path, "statement-key"))}`,
      stopping() {
        try {
          writeAtomically(lock, JSON.stringify({ ...me, stopping: true }), renameSync);
        } catch {
          // A full disk must not keep the service from stopping.
        }
      },
      release: () => rmSync(lock, { force: true }),
    };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `The data folder ${path} cannot be used (${code}): fix its permissions, or choose another with DATA_DIR.`,
    );
  }
}

/** Not `recursive`: below /proc, Node then retries forever. */
function createFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    createFolder(dirname(path));
    mkdirSync(path, { mode: 0o755 });
  }
}

async function acquireLock(path: string, lock: string, me: Holder): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    const holder = getLockHolder(lock);
    if (holder?.pid === me.pid) return;
    const waitMs = holder?.stopping ? STOPPED_WITHIN_MS : EXITED_WITHIN_MS;
    if (holder && Date.now() - startedAt > waitMs) {
      throw new StartupError(
        `Another Standing (process ${holder.pid}) uses ${path}: stop it, or choose another folder with DATA_DIR.`,
      );
    }
    if (!holder) {
      rmSync(lock, { force: true });
      writeAtomically(lock, JSON.stringify(me), linkIfMissing);
    }
    // Two processes that start at once may both remove a dead holder's lock: the next iteration
    // shows which of them holds it now.
    await pause(50);
  }
}

/** Returns the running service that holds the lock, or null. */
export function getLockHolder(lock: string): Holder | null {
  const text = readIfExists(lock);
  if (!text) return null;
  const holder = JSON.parse(text) as Holder;
  const isRunning = isAlive(holder.pid) && getStartTime(holder.pid) === holder.beginning;
  return isRunning ? holder : null;
}

function loadOrCreateSecret(file: string): string {
  const existing = readIfExists(file);
  if (existing) return existing;
  const secret = randomBytes(32).toString("hex");
  writeAtomically(file, secret, renameSync);
  return secret;
}

/** Writes a file atomically: even after a crash, no reader finds it half written. */
function writeAtomically(file: string, text: string, publish: (from: string, to: string) => void) {
  const partial = `${file}.${process.pid}`;
  try {
    writeFileSync(partial, text, { mode: 0o600, flush: true });
    publish(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
}

function linkIfMissing(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    // Not every file system supports links.
    renameSync(from, to);
  }
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
