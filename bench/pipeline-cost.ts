import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { createFigure, type Figure, mapKeys } from "./measure";
import { measureResolving, type PipelineTarget } from "./pipeline";
import { readCpuMs } from "./process-usage";

/** An idle connection reports its transactions to `pg_stat_database` after ten seconds. */
const STATISTICS_MS = 11_000;

const PROCESSES = ["server", "postgres", "chain"] as const;
type Pids = Record<(typeof PROCESSES)[number], number>;

/**
 * Measures what one of `count` outcomes costs at full load, from its submission until it is settled:
 * commits in `pg_stat_database`, without those of an idle service, and CPU milliseconds of each
 * process. The yardstick of a process is the sum of all three, that of the commits is one.
 */
export async function measureCost(
  target: PipelineTarget,
  sql: postgres.Sql,
  { pids, count }: { pids: Pids; count: number },
): Promise<Figure[]> {
  const readCommits = async () => {
    await pause(STATISTICS_MS);
    const [row] = await sql<{ commits: number }[]>`
      select xact_commit::float8 as commits from pg_stat_database
      where datname = current_database()`;
    return row?.commits ?? Number.NaN;
  };
  const readCpu = async () => {
    const used = await Promise.all(PROCESSES.map((name) => readCpuMs(pids[name])));
    return mapKeys(PROCESSES, (name) => used[PROCESSES.indexOf(name)] ?? Number.NaN);
  };

  const idleFrom = await readCommits();
  const before = await readCommits();
  const idlePerMs = (before - idleFrom) / STATISTICS_MS;
  const started = performance.now();
  const cpuBefore = await readCpu();
  await measureResolving(target, sql, count);
  const cpuAfter = await readCpu();
  const commits = (await readCommits()) - before - idlePerMs * (performance.now() - started);

  const cpu = mapKeys(PROCESSES, (name) => (cpuAfter[name] - cpuBefore[name]) / count);
  const total = PROCESSES.reduce((sum, name) => sum + cpu[name], 0);
  return [
    createFigure("pipeline.commits", "commits", commits / count, 1),
    ...PROCESSES.map((name) => createFigure(`pipeline.cpu_${name}`, "ms", cpu[name], total)),
  ];
}
