import { writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join, relative } from "node:path";
import { parseCommandLine } from "@/scripts/lib/command-line";
import { openChain } from "@/server/chain/client";
import { openDatabase } from "@/server/db/client";
import { startScriptedModel } from "@/server/testing/model/scripted-model";
import { type BenchEnvironment, buildServiceEnv, withBenchEnvironment } from "./environment";
import { EAS_ATTEST_GAS, measureGas } from "./gas";
import { COLD, type HttpEffort, measureHttp, WALLETS } from "./http";
import { createFigure, type Figure, formatElapsed, formatFigures, measureRounds } from "./measure";
import {
  measureBareRecording,
  measureFirstStep,
  measureOverhead,
  measureResolving,
} from "./pipeline";
import { seedAgents, seedReputations } from "./workload";

const USAGE = "Usage: npm run bench -- [--quick] [--only http,pipeline,engine,gas]";
const RESULTS = join(import.meta.dirname, "results/latest.jsonl");
const BLOCK_MS = 200;
const AGENTS = 4_000;

const HEADER = `Each figure is printed next to a yardstick from the same run; the ratio of the two is what counts.
Servers run in separate processes on one Postgres that syncs to disk; autocannon sends requests over
16 connections. Figure and yardstick are measured alternately; medians of the rounds are shown.

read.warm, read.cold       GET /reputation/{wallet} per second: 200 wallets that the cache holds, and
                           ${COLD.toLocaleString("en")} wallets in turn, more than it can hold. Yardstick: node:http and
                           postgres.js, one indexed query per request.
read.bulk100               POST /reputation/bulk per second, each of 100 wallets that the cache does
                           not hold. Yardstick: the same, one query for 100.
submit                     POST /outcome per second, by ${AGENTS.toLocaleString("en")} agents with their usual rate limits,
                           while the judge does not respond. Yardstick: node:http and one SQL
                           transaction that writes the same rows.
pipeline.overhead_ms_p99   from sending a submission to reading it RESOLVED, minus the judge's time, one
                           at a time, with a block every ${BLOCK_MS} ms and one confirmation. Yardstick: that time
                           between blocks.
pipeline.per_second        outcomes submitted, judged by the built-in judge, recorded and settled.
                           Yardstick: verdicts per second that a bare program records on the same chain,
                           one transaction each, without waiting between them.
engine.first_step_ms_p50   from publishing an event to its function's first step. Yardstick: a bare
                           graphile-worker job.
gas.*                      gas per verdict, alone and in batches of 10 and 50, and of the verification of a
                           signed statement. Yardstick: an EAS attest.
`;

interface Effort extends HttpEffort {
  samples: number;
  outcomes: number;
}

const FULL: Effort = { rounds: 9, seconds: 0.8, warmUp: 3, samples: 100, outcomes: 200 };
/** For changes to the benchmarks themselves. */
const QUICK: Effort = { rounds: 5, seconds: 0.5, warmUp: 3, samples: 10, outcomes: 60 };

const PARTS: Record<string, (env: BenchEnvironment, effort: Effort) => Promise<Figure[]>> = {
  http,
  pipeline,
  engine,
  gas,
};

async function main(): Promise<void> {
  const { values } = parseCommandLine(process.argv.slice(2), USAGE, {
    options: { quick: { type: "boolean" }, only: { type: "string" } },
  });
  const effort = values.quick ? QUICK : FULL;
  const selected = values.only?.split(",") ?? Object.keys(PARTS);
  console.log(HEADER);
  console.log(`${cpus().length} cores, Node ${process.version}, ${formatLoad()} at the start\n`);

  const started = performance.now();
  await withBenchEnvironment(async (env) => {
    const figures: Figure[] = [];
    for (const [part, measure] of Object.entries(PARTS)) {
      if (!selected.includes(part)) continue;
      const measured = await measure(env, effort);
      figures.push(...measured);
      for (const { name } of measured) console.log(`${formatElapsed(started)}  ${name}`);
    }
    console.log(`\n${formatFigures(figures)}\n`);
    console.log(`${formatElapsed(started)} in all, ${formatLoad()} at the end`);
    if (values.quick || values.only) return;
    await writeFile(RESULTS, figures.map((one) => `${JSON.stringify(one)}\n`).join(""));
    console.log(`Written to ${relative(process.cwd(), RESULTS)}`);
  });
}

/**
 * Measures reads and submissions of one service and one bare server, each on its own copy of the
 * data.
 */
async function http(env: BenchEnvironment, effort: Effort): Promise<Figure[]> {
  const url = await env.createDatabase("standing");
  const wallets = await seedReputations(url, WALLETS);
  const agents = await seedAgents(url, AGENTS);
  const copy = await env.createDatabase("bare", "standing");
  // With a judge that never responds, the pipeline uses no CPU; `pipeline.ts` measures that.
  const model = await startScriptedModel({ answer: () => "silence" });
  try {
    const serviceEnv = {
      ...buildServiceEnv(url, await env.startChain()),
      OPENAI_BASE_URL: model.url,
      JUDGE_MODEL: "silent",
      // More than the engine runs at once, so that all its workers only wait.
      JUDGE_CONCURRENCY: "100",
    };
    const service = await env.startServer("service-process.ts", { env: serviceEnv });
    const bare = await env.startServer("bare-process.ts", { args: [copy] });
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
  const agents = await seedAgents(databaseUrl, AGENTS);
  const local = await env.startChain({ blockTime: BLOCK_MS / 1000 });
  const chain = await openChain({ ...local, confirmations: 1 });
  const service = await env.startServer("service-process.ts", {
    env: buildServiceEnv(databaseUrl, local),
  });
  const { sql, close } = openDatabase(databaseUrl, 1);
  try {
    const target = { url: service.url, agents, submitted: 0 };
    const overhead = await measureOverhead(target, { samples, blockMs: BLOCK_MS });
    const rate = await measureRounds(Math.min(rounds, 3), {
      service: () => measureResolving(target, sql, outcomes),
      bare: () => measureBareRecording(chain, outcomes),
    });
    await service.stop();
    return [
      createFigure("pipeline.overhead_ms_p99", "ms", overhead, BLOCK_MS),
      createFigure("pipeline.per_second", "outcomes/s", rate.service, rate.bare),
    ];
  } finally {
    await close();
  }
}

async function engine(env: BenchEnvironment, { samples }: Effort): Promise<Figure[]> {
  const database = await env.createDatabase("engine");
  const { firstStep, bareJob } = await measureFirstStep(database, samples);
  return [createFigure("engine.first_step_ms_p50", "ms", firstStep, bareJob)];
}

async function gas(env: BenchEnvironment): Promise<Figure[]> {
  const chain = await openChain({ ...(await env.startChain()), confirmations: 1 });
  return Object.entries(await measureGas(chain)).map(([name, value]) =>
    createFigure(name, "gas", value, EAS_ATTEST_GAS),
  );
}

const formatLoad = () => `load average ${loadavg()[0]?.toFixed(2)}`;

await main();
