import { type BenchEnvironment, buildServiceEnv } from "@/bench/environment";
import { formatTable, percentile } from "@/bench/measure";
import { openDatabase } from "@/server/db/client";
import { seedScale, VOCABULARY } from "./seed";

/** One figure at one size, in milliseconds; a line of `results/scale.jsonl`. */
export interface SizeFigure {
  name: string;
  agents: number;
  value: number;
}

/** Outcomes per agent. */
const OUTCOMES = 5;

/** Requests in sequence, of which a percentile is taken. */
const SEQUENCE = 100;
const PAGE_SIZE = 25;
const DEEP_PAGE = 1_000;

/** The most milliseconds that a figure may have, by number of agents. */
const GOALS_MS: Record<number, number> = { 100000: 50, 1000000: 250 };

/** Measures every size on a database of its own. Returns the figures of all sizes. */
export async function measureScale(
  env: BenchEnvironment,
  { sizes, log }: { sizes: number[]; log: (line: string) => void },
): Promise<SizeFigure[]> {
  const figures: SizeFigure[] = [];
  for (const agents of sizes) {
    for (const [name, ms] of Object.entries(await measureSize(env, agents))) {
      const value = Number(ms.toFixed(1));
      figures.push({ name, agents, value });
      log(`${agents} agents: ${name} ${value}`);
    }
  }
  return figures;
}

/** Formats a row for each figure with a column for each size. */
export function formatScale(figures: SizeFigure[]): string {
  const sizes = [...new Set(figures.map(({ agents }) => agents))];
  const rows = [...Map.groupBy(figures, ({ name }) => name)].map(([name, own]) => [
    name,
    ...own.map(formatValue),
  ]);
  const head = ["name", ...sizes.map((size) => size.toLocaleString("en"))];
  return formatTable([head, ...rows], [...head.keys()].slice(1));
}

const formatValue = ({ agents, value }: SizeFigure) =>
  value > (GOALS_MS[agents] ?? Number.POSITIVE_INFINITY) ? `${value} MISSED` : String(value);

/** Requests what the service has not in a cache: each path once, one after the other. */
async function measureSize(env: BenchEnvironment, agents: number): Promise<Record<string, number>> {
  const databaseUrl = await env.createDatabase(`scale_${agents}`);
  await seedScale(databaseUrl, { agents, outcomes: agents * OUTCOMES });
  const { db, close } = openDatabase(databaseUrl, 1);
  const rows = await db.sql<{ wallet: string }[]>`
    select wallet from reputations order by md5(wallet) limit ${SEQUENCE}`;
  const [row] = await db.sql<{ ranked: number }[]>`
    select count(*)::int as ranked from reputations join agents using (wallet)`;
  await close();
  const last = Math.min(DEEP_PAGE, Math.floor((row?.ranked ?? 1) / PAGE_SIZE));
  const pathsOf: Record<string, (index: number) => string> = {
    read_ms_p99: (index) => `/api/v1/reputation/${rows[index % rows.length]?.wallet}`,
    // The rarest words of the vocabulary, each in about 0.6% of the agents.
    search_ms_p99: (index) => `/api/v1/explore/search?q=${VOCABULARY.at(-1 - index)}`,
    leaderboard_ms_p99: (index) => `/leaderboard?page=${Math.min(index + 1, last)}`,
    deep_page_ms_p99: (index) => `/leaderboard?page=${Math.max(last - index, 1)}`,
  };
  const service = await env.startBuiltService(buildServiceEnv(databaseUrl, await env.startChain()));
  const figures: Record<string, number> = {};
  for (const [name, toPath] of Object.entries(pathsOf)) {
    const times: number[] = [];
    for (let index = 0; index < SEQUENCE; index++) {
      times.push(await time(service.url + toPath(index)));
    }
    figures[name] = percentile(times, 99);
  }
  await service.stop();
  return figures;
}

/** Returns the milliseconds of a request. Throws unless it returns 200. */
async function time(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
  return performance.now() - started;
}
