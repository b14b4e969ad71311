import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { expect, test } from "vitest";
import {
  type BenchEnvironment,
  buildServiceEnv,
  type Server,
  withBenchEnvironment,
} from "@/bench/environment";
import { CONNECTIONS, type HttpRequest, sendLoad } from "@/bench/load";
import { drawSubmission, type SeededAgent, seedAgents, seedReputations } from "@/bench/workload";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { openDatabase } from "@/server/db/client";
import { toChecksumAddress } from "@/server/lib/wallet";
import { MAX_WALLETS } from "@/server/reputation/cache";

// Sends requests of each kind to one service process, and checks that its memory stays flat. `npm run soak`
// sends those of a busy day.

const IS_LONG = process.env.SOAK === "long";
/** The build may be missing, and the machine may be busy. */
const TIMEOUT_MS = IS_LONG ? 3_600_000 : 600_000;

/**
 * Requests of each kind: reads are of one wallet, which the cache holds; strangers are reads of wallets
 * that were never read before, and two thirds of them fill the cache.
 */
const AMOUNTS = IS_LONG
  ? { reads: 400_000, strangers: 2 * MAX_WALLETS, submissions: 2_000, pages: 5_000 }
  : { reads: 75_000, strangers: 1.5 * MAX_WALLETS, submissions: 30, pages: 180 };
/**
 * Megabytes by which the heap may grow from the second to the last third. Collected heaps differ by 1 or
 * 2. A former leak of the cache was 150 bytes per read; keeping each new wallet would take 800 bytes.
 */
const ALLOWED_MB = IS_LONG
  ? { reads: 5, strangers: 5, submissions: 5, pages: 5 }
  : { reads: 2.5, strangers: 5, submissions: 5, pages: 8 };
type Kind = keyof typeof AMOUNTS;
const KINDS = Object.keys(AMOUNTS) as Kind[];

interface Memory {
  /** Live objects of the main isolate, in bytes. */
  heap: number;
  /** Memory that V8 objects hold outside the heap, in bytes. */
  external: number;
  /** Resident memory of the process with its worker threads, in bytes. */
  rss: number;
}

/** Memory after a third of the requests of one kind and a forced collection. */
interface Third extends Memory {
  kind: Kind;
  third: 1 | 2 | 3;
  requests: number;
}

/** V8 discards code that was not run lately, which would change the heap by megabytes. */
const NODE_ARGS = [
  "--no-flush-bytecode",
  "--expose-gc",
  "--import",
  "./bench/soak/report-memory.mjs",
];
const POLL_MS = 200;
/** Sixteen concurrent page requests delay each other on a busy machine. */
const TIMEOUT_SECONDS = 60;
/** Number of agents and outcomes whose pages are opened. */
const SHOWN = 20;
const METRICS_TOKEN = "soak-test-metrics-token";

test(
  "memory does not grow with reads, new wallets, submissions and pages",
  async () => {
    await ensureBuild();
    const thirds: Third[] = [];
    await withBenchEnvironment(async (env) => void thirds.push(...(await runSoak(env))));
    console.table(thirds);
    const heap = (kind: Kind, third: number) =>
      thirds.find((one) => one.kind === kind && one.third === third)?.heap ?? Number.NaN;
    for (const kind of KINDS) {
      const grown = (heap(kind, 3) - heap(kind, 2)) / 1_000_000;
      expect.soft(grown, `MB after ${kind}`).toBeLessThan(ALLOWED_MB[kind]);
    }
  },
  TIMEOUT_MS,
);

/**
 * Sends requests of each kind to a service process in three thirds and measures its memory after
 * each. Growth in the first third may come from caches that fill; growth in the last one is a leak.
 */
async function runSoak(env: BenchEnvironment): Promise<Third[]> {
  const databaseUrl = await env.createDatabase("soak");
  const [wallet = ""] = await seedReputations(databaseUrl, 1);
  // Two submissions per agent, well below the limit of ten per minute.
  const agents = await seedAgents(databaseUrl, Math.ceil(AMOUNTS.submissions / 2));
  const {
    db: { sql },
    close,
  } = openDatabase(databaseUrl, 1);
  const serviceEnv = buildServiceEnv(databaseUrl, await env.startChain());
  const service = await env.startBuiltService(
    { ...serviceEnv, METRICS_TOKEN, LOG_LEVEL: "info" },
    NODE_ARGS,
  );

  try {
    const thirds: Third[] = [];
    for (const kind of KINDS) {
      const pages = kind === "pages" ? await listPages(sql, agents) : [];
      const draw = {
        reads: () => readReputation(wallet),
        strangers: (index: number) => readReputation(toWallet(index + 1)),
        submissions: (index: number) => drawSubmission(agents, index),
        pages: (index: number) => pages[index % pages.length] ?? { path: "/" },
      }[kind];
      for (const third of [1, 2, 3] as const) {
        const from = Math.round((AMOUNTS[kind] * (third - 1)) / 3);
        const requests = Math.round((AMOUNTS[kind] * third) / 3) - from;
        await sendAll(service.url, { from, amount: requests, draw });
        await waitUntilIdle(sql);
        thirds.push({ kind, third, requests, ...(await measureMemory(service)) });
      }
    }
    return thirds;
  } finally {
    await service.stop();
    await close();
  }
}

/** Lists every page that a visitor can open, with its images, files and metrics scrapes. */
async function listPages(sql: postgres.Sql, agents: SeededAgent[]): Promise<HttpRequest[]> {
  const outcomes = await sql<{ id: string }[]>`
    select id from outcomes order by submitted_at limit ${SHOWN}`;
  const wallets = agents.slice(0, SHOWN).map((agent) => agent.wallet);
  const paths = [
    ...PATHS,
    `/agents/${wallets[0]}/badge.svg`,
    ...wallets.map((one) => `/agents/${one}`),
    ...outcomes.map(({ id }) => `/outcomes/${id}`),
  ];
  const scrape = { path: "/api/metrics", headers: { Authorization: `Bearer ${METRICS_TOKEN}` } };
  return [...paths.map((path) => ({ path })), scrape];
}

const PATHS = [
  "/",
  "/leaderboard",
  "/search?q=agent",
  "/status",
  "/judge",
  "/how-it-works",
  "/verify",
  "/anchors",
  "/docs",
  "/problems/forbidden",
  "/register",
  "/sign-in",
  "/exports/leaderboard",
  "/api/health",
  "/api/v1/explore/leaderboard",
  "/api/v1/openapi.json",
  "/opengraph-image",
];

/** Resolves when every outcome is resolved and no run is in progress. */
async function waitUntilIdle(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ busy: boolean }[]>`
      select exists (select from outcomes where status <> 'RESOLVED')
        or exists (select from engine_runs where status = 'active') as busy`;
    if (!row?.busy) return;
    await pause(POLL_MS);
  }
}

async function measureMemory({ process: service }: Server): Promise<Memory> {
  service.send("measure memory");
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000);
  const [memory] = await once(service, "message", { signal });
  return memory as Memory;
}

const readReputation = (wallet: string): HttpRequest => ({ path: `/api/v1/reputation/${wallet}` });

/** Returns a wallet of its own for each integer. */
const toWallet = (number: number) =>
  toChecksumAddress(`0x${BigInt.asUintN(160, BigInt(number)).toString(16).padStart(40, "0")}`);

/** Sends the requests `draw(from)` to `draw(from + amount - 1)` once each. */
function sendAll(
  url: string,
  { from, amount, draw }: { from: number; amount: number; draw: (index: number) => HttpRequest },
): Promise<void> {
  let next = from;
  return sendLoad({
    url,
    connections: Math.min(CONNECTIONS, amount),
    amount,
    timeout: TIMEOUT_SECONDS,
    setupClient(client) {
      const share = client.responseMax ?? 0;
      client.setRequests(Array.from({ length: share }, () => draw(next++)));
    },
  });
}
