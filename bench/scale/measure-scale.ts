import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import type { Hex } from "viem";
import { type BenchEnvironment, buildServiceEnv, type Server } from "@/bench/environment";
import { bulkReadsOf, COLD, type RequestKind, readsOf } from "@/bench/http";
import { measureThroughput } from "@/bench/load";
import { formatTable, percentile } from "@/bench/measure";
import { measureCost, measureResolving } from "@/bench/pipeline";
import { readResidentMb } from "@/bench/process-usage";
import { measureRefreshOf } from "@/bench/refresh";
import { openSettling, settleOne, skipSeqs } from "@/bench/settle";
import { seedAgents } from "@/bench/workload";
import { type Chain, openChain } from "@/server/chain/client";
import { openDatabase } from "@/server/db/client";
import { startScriptedModel } from "@/server/testing/model/scripted-model";
import { type Scale, seedScale, VOCABULARY } from "./seed";

/** One figure at one size; a line of `results/scale.jsonl`. */
export interface SizeFigure {
  name: string;
  unit: string;
  agents: number;
  processes: number;
  value: number;
}

/** Outcomes per agent. */
const OUTCOMES = 5;

export const SCALE_HEADER = `Each figure is measured at several numbers of agents, with ${OUTCOMES} outcomes each, on the built service
with its pages and several processes if requested; the last column is the last figure divided by the
first. Latencies are of requests in sequence, throughputs over 16 connections.

read.warm, read.cold, read.bulk100, pages.*   requests per second, as without --scale
search_ms_p99       GET /explore/search for a term that about 0.6% of the agents match
deep_page_ms_p99    HTML of the leaderboard around page 10,000, or the last page
pipeline.*          outcomes resolved per second, commits and CPU milliseconds of each
settle_ms           settling one outcome of the agent with the most
read_ms_p99         GET /reputation of a wallet that the cache does not hold
refresh.read_ms_p99   the same while the daily refresh runs in that process
refresh.agents_per_second   scores per second that the daily refresh brings up to the next day
database_mb         size of the seeded database
memory_mb           peak of the resident memory of a service process
`;

/** Measures every size on a database of its own. Returns the figures of all sizes. */
export async function measureScale(
  env: BenchEnvironment,
  { sizes, processes, log }: { sizes: number[]; processes: number; log: (line: string) => void },
): Promise<SizeFigure[]> {
  const figures: SizeFigure[] = [];
  for (const agents of sizes) {
    await measureSize(env, { agents, outcomes: agents * OUTCOMES }, processes, (figure) => {
      figures.push(figure);
      log(`${agents} agents: ${figure.name} ${figure.value} ${figure.unit}`);
    });
  }
  return figures;
}

/** Formats a row for each figure with a column for each size, and the growth from first to last. */
export function formatScale(figures: SizeFigure[]): string {
  const sizes = [...new Set(figures.map(({ agents }) => agents))];
  const names = [...new Set(figures.map(({ name }) => name))];
  const rows = names.map((name) => {
    const own = figures.filter((figure) => figure.name === name);
    const values = sizes.map((size) => own.find(({ agents }) => agents === size)?.value);
    const [first, last] = [values[0], values.at(-1)];
    const growth = first && last ? (last / first).toFixed(2) : "";
    return [name, own[0]?.unit ?? "", ...values.map((value) => String(value ?? "")), growth];
  });
  const head = ["name", "unit", ...sizes.map((size) => size.toLocaleString("en")), "growth"];
  return formatTable([head, ...rows], [...sizes.map((_, index) => index + 2), sizes.length + 2]);
}

const SECONDS = 4;
const WARM = 200;
const SUBMITTERS = 2_000;
const RESOLVED = 1_000;
/** Requests in sequence, of which a percentile is taken. */
const SEQUENCE = 100;
/** Requests in sequence before the daily refresh, and as many while it runs. */
const READS = 1_000;
const POLL_MS = 50;
const PAGE_SIZE = 25;
const DEEP_PAGE = 10_000;
/** Batches of the daily refresh, of 2,000 agents each. */
const REFRESHED = 20;

type Services = [first: Server, ...others: Server[]];
type Report = (name: string, unit: string, value: number) => void;

async function measureSize(
  env: BenchEnvironment,
  scale: Scale,
  processes: number,
  add: (figure: SizeFigure) => void,
): Promise<void> {
  const report: Report = (name, unit, value) =>
    add({ name, unit, agents: scale.agents, processes, value: Number(value.toFixed(1)) });
  const url = await env.createDatabase(`scale_${scale.agents}`);
  const seeded = performance.now();
  await seedScale(url, scale);
  report("seeding", "s", (performance.now() - seeded) / 1000);
  const {
    db: { sql },
    close,
  } = openDatabase(url, 1);
  const [size] = await sql<{ bytes: number }[]>`
    select pg_database_size(current_database())::float8 as bytes`;
  report("database_mb", "MB", (size?.bytes ?? Number.NaN) / 1e6);
  const local = await env.startChain();
  const chain = await openChain({ ...local, confirmations: 1 });
  await skipSeqs(chain, scale.outcomes);
  const serviceEnv = buildServiceEnv(url, local);
  const startServices = (extra: Record<string, string> = {}) =>
    Promise.all(
      Array.from({ length: processes }, () => env.startBuiltService({ ...serviceEnv, ...extra })),
    ) as Promise<Services>;
  try {
    // A judge that never responds, so that reads have the processors for themselves.
    const model = await startScriptedModel({ answer: () => "silence" });
    const services = await startServices({ OPENAI_BASE_URL: model.url, JUDGE_MODEL: "silent" });
    await measureReads(services, sql, report);
    const memory = await Promise.all(services.map(({ pid }) => readResidentMb(pid)));
    report("memory_mb", "MB", Math.max(...memory.map(({ peak }) => peak)));
    await stopAll(services);
    await model.close();
    await measurePipeline(env, { url, sql, report, chainPid: local.pid }, await startServices());
    await measureSettling(url, chain, sql, report);
    await measureReadsWhileRefreshing(sql, report, await startServices());
  } finally {
    await close();
  }
  const refreshed = await measureRefreshOf(url, REFRESHED);
  report("refresh.agents_per_second", "agents/s", refreshed.service);
  await local.stop();
}

/** Sends the same load to all services at once and adds their rates. */
async function measureAll(services: Server[], kind: RequestKind): Promise<number> {
  const rates = services.map(({ url }) => measureThroughput(url, SECONDS, { at: 0, ...kind }));
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}

async function measureReads(services: Services, sql: postgres.Sql, report: Report): Promise<void> {
  const [first] = services;
  const rows = await sql<{ wallet: string }[]>`select wallet from reputations limit ${2 * COLD}`;
  const wallets = rows.map(({ wallet }) => wallet);
  const page = (path: string): RequestKind => ({
    draw: () => ({ path, headers: { "Accept-Encoding": "gzip, br" } }),
    prepared: 20_000,
  });
  const kinds: Record<string, RequestKind> = {
    "read.warm": { ...readsOf(wallets.slice(0, WARM)), prepared: null },
    "read.cold": readsOf(wallets),
    // Large requests: preparing 8,000 for each second would take longer than sending them.
    "read.bulk100": { ...bulkReadsOf(wallets), prepared: 2_000 },
    "pages.home": page("/"),
    "pages.leaderboard": page("/leaderboard"),
  };
  // Before anything is warm: what the first visitor of a new process waits for.
  const [coldMs = 0] = await time(first.url, [searchPath(0)]);
  report("search_first_ms", "ms", coldMs);
  for (const [name, kind] of Object.entries(kinds)) {
    await measureAll(services, kind);
    report(name, "requests/s", await measureAll(services, kind));
  }
  const searched = await time(
    first.url,
    Array.from({ length: SEQUENCE }, (_, i) => searchPath(i)),
  );
  report("search_ms_p50", "ms", percentile(searched, 50));
  report("search_ms_p99", "ms", percentile(searched, 99));
  const [row] = await sql<{ ranked: number }[]>`
    select count(*)::int as ranked from explorer_ranks where category = '*' and score_e_2 >= 0`;
  const last = Math.min(DEEP_PAGE, Math.floor(((row?.ranked ?? 1) - 1) / PAGE_SIZE));
  const deep = Array.from(
    { length: SEQUENCE },
    (_, i) => `/leaderboard?page=${Math.max(last - i, 1)}`,
  );
  const paged = await time(first.url, deep);
  report("deep_page_ms_p50", "ms", percentile(paged, 50));
  report("deep_page_ms_p99", "ms", percentile(paged, 99));
}

/** The rarest words of the vocabulary, each in about 0.6% of the agents. */
const searchPath = (index: number) => {
  const word = VOCABULARY.at(-1 - (index % SEQUENCE));
  return `/api/v1/explore/search?q=${word}`;
};

/** Returns the milliseconds of each request, one after the other. Throws unless all return 200. */
async function time(origin: string, paths: string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    const started = performance.now();
    const response = await fetch(origin + path);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    times.push(performance.now() - started);
  }
  return times;
}

async function measurePipeline(
  env: BenchEnvironment,
  options: { url: string; sql: postgres.Sql; report: Report; chainPid: number },
  services: Services,
): Promise<void> {
  const { url, sql, report, chainPid } = options;
  const [first] = services;
  const agents = await seedAgents(url, SUBMITTERS);
  const target = { url: first.url, agents, submitted: 0 };
  await measureResolving(target, sql, RESOLVED);
  report("pipeline.per_second", "outcomes/s", await measureResolving(target, sql, RESOLVED));
  const pids = { server: first.pid, postgres: env.postgresPid, chain: chainPid };
  for (const cost of await measureCost(target, sql, { pids, count: RESOLVED })) {
    report(cost.name, cost.unit, cost.value);
  }
  await stopAll(services);
}

/** Settles outcomes of the agent with the most, one at a time. */
async function measureSettling(
  url: string,
  chain: Chain,
  sql: postgres.Sql,
  report: Report,
): Promise<void> {
  const [agent] = await sql<{ id: string; wallet: Hex; outcomes: number }[]>`
    select id, wallet, total_outcomes as outcomes from reputations join agents using (wallet)
    order by total_outcomes desc limit 1`;
  if (!agent) throw new Error("There is no score");
  const { core, close } = openSettling(url, chain);
  const times: number[] = [];
  for (let i = 0; i < 10; i++) {
    times.push((await settleOne(core, chain, agent, agent.wallet.replace(/.$/, String(i)))).ms);
  }
  await close();
  report("settle_outcomes", "outcomes", agent.outcomes);
  report("settle_ms", "ms", percentile(times, 50));
}

/**
 * Starts the daily refresh as its hourly tick does, and compares reads while it runs with earlier ones. The
 * seeded scores have no totals, so it recomputes all of them from the ledger, which is more work than on
 * other days. It ends with the services.
 */
async function measureReadsWhileRefreshing(
  sql: postgres.Sql,
  report: Report,
  services: Services,
): Promise<void> {
  const [first] = services;
  const rows = await sql<{ wallet: string }[]>`
    select wallet from reputations limit ${3 * READS}`;
  const paths = rows.map(({ wallet }) => `/api/v1/reputation/${wallet}`);
  // The first third warms the service up.
  await time(first.url, paths.splice(0, READS));
  const before = await time(first.url, paths.splice(0, READS));
  await sql`
    with run as (
      insert into engine_runs (function_id, status, event_id)
      values ('standing-refresh-scores', 'active', 'bench') returning id
    ), announced as (select pg_notify('engine_jobs', ''))
    insert into engine_jobs (run_id, function_id, state, due_at)
    select id, 'standing-refresh-scores', 'ready', now() from run, announced`;
  const hasBegun = async () => {
    const [row] = await sql`
      select from engine_steps join engine_runs on engine_runs.id = run_id
      where function_id = 'standing-refresh-scores' and done_at is not null`;
    return row !== undefined;
  };
  while (!(await hasBegun())) await pause(POLL_MS);
  const during = await time(first.url, paths);
  for (const percent of [50, 99]) {
    report(`read_ms_p${percent}`, "ms", percentile(before, percent));
    report(`refresh.read_ms_p${percent}`, "ms", percentile(during, percent));
  }
  await stopAll(services);
}

async function stopAll(services: Server[]): Promise<void> {
  for (const service of services) await service.stop();
}
