import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

interface Part {
  pid: number;
  stop(): Promise<void>;
}

interface Options<P extends Part> {
  /**
   * Starts the process; on a restart `before` is the previous one, whose address must be reused.
   */
  start: (before: P | null) => Promise<P>;
  /** Called after every start but the first. */
  onRestart?: () => Promise<void>;
  /** Receives messages for the user. */
  notify: (message: string) => void;
}

const POLL_MS = 250;
const RETRY_MS = 5_000;

/**
 * Starts a process and restarts it whenever it exits unexpectedly, retrying indefinitely. `stop`
 * ends the process and the restarts.
 */
export async function keepRunning<P extends Part>(
  name: string,
  { start, onRestart, notify }: Options<P>,
): Promise<{ first: P; stop: () => Promise<void> }> {
  const first = await start(null);
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = first;

  const watching = (async () => {
    while (!signal.aborted) {
      await pauseUnlessAborted(POLL_MS, signal);
      if (signal.aborted || isAlive(current.pid)) continue;
      notify(`${name} exited unexpectedly. Restarting it.`);
      try {
        current = await start(current);
        await onRestart?.();
        notify(`${name} is running again.`);
      } catch (error) {
        notify(`${name} cannot be restarted: ${error instanceof Error ? error.message : error}`);
        await pauseUnlessAborted(RETRY_MS, signal);
      }
    }
  })();

  return {
    first,
    async stop() {
      stopping.abort();
      await watching;
      await current.stop();
    },
  };
}

/** Pauses for `ms` or until the signal aborts. */
const pauseUnlessAborted = (ms: number, signal: AbortSignal) =>
  pause(ms, undefined, { signal }).catch(() => {});

/** Returns whether a process with this id runs; false for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isUncollected(pid);
}

/** Returns whether a process has ended, and its parent has not collected it. */
export const isUncollected = (pid: number): boolean => readProcStat(pid)?.state === "Z";

/**
 * Returns when a process began, or null if none runs. Distinguishes it from a later process with
 * the same id, which is common after a restart of a machine or container.
 */
export function getStartTime(pid: number): string | null {
  if (!isAlive(pid)) return null;
  return readProcStat(pid)?.beginning ?? queryPs(pid, "lstart=");
}

/** Returns the command line of a process, or an empty string if unknown. */
export function getCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return queryPs(pid, "command=") ?? "";
  }
}

/** Sends `signal`, waits up to `graceMs` for the process to exit, then kills it. */
export async function endProcess(
  pid: number,
  signal: NodeJS.Signals,
  graceMs = 10_000,
): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, signal);
  for (const end = Date.now() + graceMs; Date.now() < end; await pause(20)) {
    if (!isAlive(pid)) return;
  }
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
}

/** Starts a program whose output goes to `logFile`, opened with `flags`. */
export function spawnLogged(
  program: string,
  args: string[],
  { logFile, flags, ...options }: SpawnOptions & { logFile: string; flags: "w" | "a" },
): ChildProcess {
  const log = openSync(logFile, flags);
  const child = spawn(program, args, { ...options, stdio: ["ignore", log, log] });
  closeSync(log);
  // Without a listener the error would end this process; the missing child is detected anyway.
  child.once("error", () => {});
  child.unref();
  return child;
}

/**
 * Resolves to the first truthy result of `check`, or to null if the process exits or `withinMs` is
 * over.
 */
export async function pollWhileAlive<T>(
  pid: number | undefined,
  check: () => Promise<T>,
  withinMs: number,
): Promise<T | null> {
  for (const end = Date.now() + withinMs; pid && Date.now() < end; await pause(20)) {
    if (!isAlive(pid)) return null;
    const result = await check();
    if (result) return result;
  }
  return null;
}

/**
 * Reads fields 3 and 22 of Linux' /proc stat, see proc_pid_stat(5). The name before them may
 * contain any character.
 */
function readProcStat(pid: number): { state: string; beginning: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", beginning: fields[19] ?? "" };
  } catch {
    return null;
  }
}

function queryPs(pid: number, field: string): string | null {
  try {
    const output = execFileSync("ps", ["-o", field, "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.trim() || null;
  } catch {
    return null;
  }
}

/** Returns a TCP port on 127.0.0.1 that is currently free. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
