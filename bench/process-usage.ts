import { readdir, readFile } from "node:fs/promises";

// Reads /proc, which only Linux has.

/** The kernel counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/**
 * Returns the CPU milliseconds, in user and kernel mode, that a process has used so far with its
 * threads and its descendants. PostgreSQL has a process for each connection; those that ended count
 * too.
 */
export async function readCpuMs(pid: number): Promise<number> {
  const processes = await listProcesses();
  const sum = (ticks: number, parent: number): number =>
    [...processes]
      .filter(([, { ppid }]) => ppid === parent)
      .reduce((total, [child, { own }]) => sum(total + own, child), ticks);
  const root = processes.get(pid);
  if (!root) throw new Error(`There is no process ${pid}`);
  return sum(root.own, pid) * TICK_MS;
}

interface ProcessStat {
  ppid: number;
  /** Ticks of the process and of its children that ended. */
  own: number;
}

async function listProcesses(): Promise<Map<number, ProcessStat>> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    // A process may end before it is read.
    pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => null)),
  );
  return new Map(
    stats.flatMap((stat) => (stat ? [[Number.parseInt(stat, 10), parseStat(stat)]] : [])),
  );
}

/** Parses a line of `/proc/PID/stat`; see proc_pid_stat(5). The name may contain spaces. */
function parseStat(stat: string): ProcessStat {
  const [, ppid, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = rest.slice(9, 13).map(Number);
  return { ppid: Number(ppid), own: ticks.reduce((sum, value) => sum + value, 0) };
}
