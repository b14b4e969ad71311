import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Whether a process with this id runs. One that ended and that nobody has buried yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return statOf(pid)?.state !== "Z";
}

/**
 * What tells a process from a later one that got the same id, which after a restart of a machine
 * or a container is the usual case: when it began. Null where none runs.
 */
export function beginningOf(pid: number): string | null {
  if (!isAlive(pid)) return null;
  return statOf(pid)?.beginning ?? askPs(pid, "lstart=");
}

/** The command line of a process; empty where it cannot be told. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return askPs(pid, "command=") ?? "";
  }
}

/** Sends `signal`, waits up to `graceMs` for the end, then kills. */
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

/** From Linux' /proc: see proc_pid_stat(5), fields 3 and 22. The name before them may hold anything. */
function statOf(pid: number): { state: string; beginning: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", beginning: fields[19] ?? "" };
  } catch {
    return null;
  }
}

function askPs(pid: number, field: string): string | null {
  try {
    const said = execFileSync("ps", ["-o", field, "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return said.trim() || null;
  } catch {
    return null;
  }
}
