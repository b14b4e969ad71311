import type postgres from "postgres";
import { type BenchEnvironment, buildServiceEnv, type Server } from "@/bench/environment";
import { formatTable, percentile } from "@/bench/measure";
import { openSettling, type SettledAgent, settleOne, skipSeqs } from "@/bench/settle";
import { type Chain, openChain } from "@/server/chain/client";
import { openDatabase } from "@/server/db/client";
import { type Scale, seedScale, VOCABULARY } from "./seed";

/** One figure at one size; a line of `results/scale.jsonl`. */
export interface SizeFigure {
  name: string;
  unit: string;
  agents: number;
  value: number;
}

/** Outcomes per agent. */
const OUTCOMES = 5;

/** Requests in sequence, of which a percentile is taken. */
const SEQUENCE = 100;
const PAGE_SIZE = 25;
const DEEP_PAGE = 1_000;

/** The most milliseconds that a percentile may have, by number of agents. */
const GOALS_MS: Record<number, number> = { 100000: 50, 1000000: 250 };

type Report = (name: string, unit: string, value: number) => void;

/** Measures every size on a database of its own. Returns the figures of all sizes. */
export async function measureScale(
  env: BenchEnvironment,
  { sizes, log }: { sizes: number[]; log: (line: string) => void },
): Promise<SizeFigure[]> {
  const figures: SizeFigure[] = [];
  for (const agents of sizes) {
    await measureSize(env, { agents, outcomes: agents * OUTCOMES }, (name, unit, value) => {
      figures.push({ name, unit, agents, value: Number(value.toFixed(1)) });
      log(`${agents} agents: ${name} ${value.toFixed(1)} ${unit}`);
    });
  }
  return figures;
}

/** Formats a row for each figure with a column for each size. */
export function formatScale(figures: SizeFigure[]): string {
  const sizes = [...new Set(figures.map(({ agents }) => agents))];
  const rows = [...Map.groupBy(figures, ({ name }) => name)].map(([name, own]) => [
    name,
    own[0]?.unit ?? "",
    ...sizes.map((size) => formatValue(own.find(({ agents }) => agents === size))),
  ]);
  const head = ["name", "unit", ...sizes.map((size) => size.toLocaleString("en"))];
  return formatTable([head, ...rows], [...head.keys()].slice(2));
}

function formatValue(figure: SizeFigure | undefined): string {
  if (!figure) return "";
  const { name, agents, value } = figure;
  const goal = name.endsWith("_ms_p99") ? GOALS_MS[agents] : undefined;
  return goal !== undefined && value > goal ? `${value} MISSED` : String(value);
}

async function measureSize(env: BenchEnvironment, scale: Scale, report: Report): Promise<void> {
  const url = await env.createDatabase(`scale_${scale.agents}`);
  await seedScale(url, scale);
  const {
    db: { sql },
    close,
  } = openDatabase(url, 1);
  const local = await env.startChain();
  const chain = await openChain({ ...local, confirmations: 1 });
  await skipSeqs(chain, scale.outcomes);
  try {
    const service = await env.startBuiltService(buildServiceEnv(url, local));
    await measureReads(service, sql, report);
    await service.stop();
    await measureSettling(url, chain, sql, report);
  } finally {
    await close();
  }
  await local.stop();
}

/** Requests what the service has not in a cache: each path once, one after the other. */
async function measureReads({ url }: Server, sql: postgres.Sql, report: Report): Promise<void> {
  const rows = await sql<{ wallet: string }[]>`
    select wallet from reputations order by md5(wallet) limit ${SEQUENCE}`;
  const [row] = await sql<{ ranked: number }[]>`
    select count(*)::int as ranked from reputations join agents using (wallet)`;
  const last = Math.min(DEEP_PAGE, Math.floor((row?.ranked ?? 1) / PAGE_SIZE));
  const pathsOf: Record<string, (index: number) => string> = {
    read_ms_p99: (index) => `/api/v1/reputation/${rows[index % rows.length]?.wallet}`,
    // The rarest words of the vocabulary, each in about 0.6% of the agents.
    search_ms_p99: (index) => `/api/v1/explore/search?q=${VOCABULARY.at(-1 - index)}`,
    leaderboard_ms_p99: (index) => `/leaderboard?page=${Math.min(index + 1, last)}`,
    deep_page_ms_p99: (index) => `/leaderboard?page=${Math.max(last - index, 1)}`,
  };
  for (const [name, toPath] of Object.entries(pathsOf)) {
    const times: number[] = [];
    for (let index = 0; index < SEQUENCE; index++) times.push(await time(url + toPath(index)));
    report(name, "ms", percentile(times, 99));
  }
}

/** Returns the milliseconds of a request. Throws unless it returns 200. */
async function time(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
  return performance.now() - started;
}

/** Settles outcomes of the agent with the most, one at a time. */
async function measureSettling(
  databaseUrl: string,
  chain: Chain,
  sql: postgres.Sql,
  report: Report,
): Promise<void> {
  const [agent] = await sql<SettledAgent[]>`
    select id, wallet from reputations join agents using (wallet)
    order by total_outcomes desc limit 1`;
  if (!agent) throw new Error("There is no score");
  const { core, close } = openSettling(databaseUrl, chain);
  const times: number[] = [];
  for (let i = 0; i < 10; i++) {
    times.push(await settleOne(core, chain, agent, agent.wallet.replace(/.$/, String(i))));
  }
  await close();
  report("settle_ms", "ms", percentile(times, 50));
}
