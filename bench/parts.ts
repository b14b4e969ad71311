import { setTimeout as pause } from "node:timers/promises";
import { openChain } from "@/server/chain/client";
import { openDatabase } from "@/server/db/client";
import {
  createAnswer,
  parseMaterial,
  startScriptedModel,
} from "@/server/testing/model/scripted-model";
import { agreeOnJobs, createAccounts } from "./agreed-deliveries";
import { type BenchEnvironment, buildServiceEnv } from "./environment";
import { measureFairness } from "./fairness";
import { type HttpEffort, measureHttp, WALLETS } from "./http";
import type { HttpRequest } from "./load";
import { createFigure, type Figure, measureRounds } from "./measure";
import { measurePages } from "./pages";
import {
  measureBareRecording,
  measureCost,
  measureOverhead,
  measureResolving,
  measureVerdict,
} from "./pipeline";
import { measureRefresh } from "./refresh";
import { measureRequirements } from "./requirements";
import { measureSettling } from "./settle";
import { seedAgents, seedReputations } from "./workload";

/** Milliseconds between two blocks while the pipeline is measured. */
const BLOCK_MS = 200;
/** Milliseconds in which a model answers while a verdict is measured. */
const ANSWER_MS = 10_000;
/** Number of agents that submit. */
const AGENTS = 4_000;

export interface Effort extends HttpEffort {
  samples: number;
  outcomes: number;
}

type Part = (env: BenchEnvironment, effort: Effort) => Promise<Figure[]>;

/** The parts of the benchmark, each with databases and servers of its own. */
export const PARTS: Record<string, Part> = {
  http,
  pipeline,
  verdict,
  fairness: measureFairness,
  settle: (env, { rounds }) => measureSettling(env, rounds),
  refresh: measureRefresh,
  pages: measurePages,
  requirements: measureRequirements,
};

/**
 * Measures reads and submissions of a service and a bare server, each on its own copy of the database. With
 * a judge that never responds, the pipeline uses no CPU; `pipeline.ts` measures that.
 */
async function http(env: BenchEnvironment, effort: Effort): Promise<Figure[]> {
  const url = await env.createDatabase("standing");
  const wallets = await seedReputations(url, WALLETS);
  const agents = await seedAgents(url, AGENTS);
  const copy = await env.createDatabase("bare", "standing");
  const model = await startScriptedModel({ answer: () => "silence" });
  try {
    const serviceEnv = {
      ...buildServiceEnv(url, await env.startChain()),
      OPENAI_BASE_URL: model.url,
      JUDGE_MODEL: "silent",
      // Twice what the engine runs at once, so that all its workers only wait for this one client.
      JUDGE_CONCURRENCY: "200",
    };
    const service = await env.startModule("service-process.ts", { env: serviceEnv });
    const bare = await env.startModule("bare-process.ts", { args: [copy] });
    const figures = await measureHttp({ service, bare }, { wallets, agents }, effort);
    await service.stop();
    await bare.stop();
    return figures;
  } finally {
    await model.close();
  }
}

async function pipeline(env: BenchEnvironment, effort: Effort): Promise<Figure[]> {
  const { rounds, samples, outcomes } = effort;
  const databaseUrl = await env.createDatabase("pipeline");
  const accounts = createAccounts(AGENTS);
  const agents = await seedAgents(databaseUrl, AGENTS, [...accounts.keys()]);
  const local = await env.startChain({ blockTime: BLOCK_MS / 1000 });
  const chain = await openChain({ ...local, confirmations: 1 });
  const service = await env.startBuiltService(buildServiceEnv(databaseUrl, local));
  const {
    db: { sql },
    close,
  } = openDatabase(databaseUrl, 1);
  // Only the owner of a wallet can sign terms.
  await sql`update agents set wallet_verified_at = now()`;
  const pids = { server: service.pid, postgres: env.postgresPid, chain: local.pid };
  try {
    const pairs = Math.min(rounds, 3);
    const jobs = { agents, accounts, count: pairs * outcomes };
    const deliveries = await agreeOnJobs(service.url, jobs);
    const target = { url: service.url, agents, submitted: 0 };
    const agreed = { ...target, draw: (index: number) => deliveries[index] as HttpRequest };
    const overhead = await measureOverhead(target, { samples, blockMs: BLOCK_MS });
    const rate = await measureRounds(pairs, {
      service: () => measureResolving(target, sql, outcomes),
      agreed: () => measureResolving(agreed, sql, outcomes),
      recording: () => measureBareRecording(chain, outcomes),
    });
    const cost = await measureCost(target, sql, { pids, count: outcomes });
    await service.stop();
    return [
      createFigure("pipeline.overhead_ms_p99", "ms", overhead, BLOCK_MS),
      createFigure("pipeline.per_second", "outcomes/s", rate.service, rate.recording),
      createFigure("pipeline.agreed", "outcomes/s", rate.agreed, rate.service),
      ...cost,
    ];
  } finally {
    await close();
  }
}

/** Measures a verdict of two models that take `ANSWER_MS`, with blocks as on Base. */
async function verdict(env: BenchEnvironment, { samples }: Effort): Promise<Figure[]> {
  const databaseUrl = await env.createDatabase("verdict");
  const count = Math.min(samples, 20);
  const agents = await seedAgents(databaseUrl, count + 1);
  const local = await env.startChain({ blockTime: 2 });
  const model = await startScriptedModel({
    answer: async ({ body }) => {
      await pause(ANSWER_MS);
      return createAnswer(parseMaterial(body.messages.at(-1)?.content ?? ""));
    },
  });
  try {
    const service = await env.startModule("service-process.ts", {
      env: {
        ...buildServiceEnv(databaseUrl, local),
        OPENAI_BASE_URL: model.url,
        JUDGE_MODEL: "first",
        JUDGE_ESCALATION_MODEL: "second",
        // No call waits for another.
        JUDGE_CONCURRENCY: String(4 * count),
      },
    });
    const target = { url: service.url, agents, submitted: 0 };
    await measureVerdict(target, 1);
    const median = await measureVerdict(target, count);
    await service.stop();
    return [createFigure("verdict.ms_p50", "ms", median, ANSWER_MS)];
  } finally {
    await model.close();
  }
}
