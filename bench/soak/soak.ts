import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { type BenchEnvironment, buildServiceEnv, type Server } from "@/bench/environment";
import { CONNECTIONS, type HttpRequest, sendLoad } from "@/bench/load";
import { drawSubmission, type SeededAgent, seedAgents, seedReputations } from "@/bench/workload";
import { openDatabase } from "@/server/db/client";
import { toChecksumAddress } from "@/server/lib/wallet";

/**
 * Kinds of requests. Reads are of one wallet, which the cache holds; strangers are reads of wallets
 * that were never read before.
 */
export const KINDS = ["reads", "strangers", "submissions", "pages"] as const;
type Kind = (typeof KINDS)[number];

interface Memory {
  /** Live objects of the main isolate, in bytes. */
  heap: number;
  /** Memory that V8 objects hold outside the heap, in bytes. */
  external: number;
  /** Resident memory of the process with its worker threads, in bytes. */
  rss: number;
}

/** Memory after a third of the requests of one kind and a forced collection. */
export interface Third extends Memory {
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

/**
 * Sends requests of each kind to a service process in three thirds and measures its memory after
 * each. Growth in the first third may come from caches that fill; growth in the last one is a leak.
 */
export async function runSoak(
  env: BenchEnvironment,
  counts: Record<Kind, number>,
  report: (third: Third) => void = () => {},
): Promise<Third[]> {
  const databaseUrl = await env.createDatabase("soak");
  const [wallet = ""] = await seedReputations(databaseUrl, 1);
  // Two submissions per agent, well below the limit of ten per minute.
  const agents = await seedAgents(databaseUrl, Math.max(2, Math.ceil(counts.submissions / 2)));
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
      const requests = counts[kind];
      if (requests === 0) continue;
      const pages = kind === "pages" ? await listPages(sql, agents) : [];
      const draw = {
        reads: () => readReputation(wallet),
        strangers: (index: number) => readReputation(toWallet(index + 1)),
        submissions: (index: number) => drawSubmission(agents, index),
        pages: (index: number) => pages[index % pages.length] ?? { path: "/" },
      }[kind];
      for (const third of [1, 2, 3] as const) {
        const from = Math.round((requests * (third - 1)) / 3);
        const amount = Math.round((requests * third) / 3) - from;
        await sendAll(service.url, { from, amount, draw });
        await waitUntilIdle(sql);
        const measured = { kind, third, requests: amount, ...(await measureMemory(service)) };
        thirds.push(measured);
        report(measured);
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

/** Returns the heap growth in bytes between the second and the last third of each kind. */
export function computeGrowth(thirds: Third[]): Map<Kind, number> {
  const heap = (kind: Kind, third: number) =>
    thirds.find((one) => one.kind === kind && one.third === third)?.heap ?? Number.NaN;
  const kinds = [...new Set(thirds.map(({ kind }) => kind))];
  return new Map(kinds.map((kind) => [kind, heap(kind, 3) - heap(kind, 2)]));
}
