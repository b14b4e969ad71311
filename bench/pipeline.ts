import { setTimeout as pause } from "node:timers/promises";
import pLimit from "p-limit";
import type postgres from "postgres";
import type { Chain } from "@/server/chain/client";
import { encodeRecords } from "@/server/chain/registry/encode-records";
import { canonicaliseCase } from "@/server/judging/canonicalise-case";
import type { Canonical } from "@/server/judging/judge";
import { MINUTE_MS } from "@/server/lib/time";
import type { Submission } from "@/server/outcomes/schema";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import type { HttpRequest } from "./load";
import { createFigure, type Figure, percentile } from "./measure";
import { readCpuMs } from "./process-usage";
import { createOutcomeRecord, drawSubmission, JUDGED_CASE, type SeededAgent } from "./workload";

const POLL_MS = 10;
/** Stalled work has been requeued and resolved by then, also on a busy machine. */
const TIMEOUT_MS = 3 * MINUTE_MS;
/** Measurements to discard before the counted ones. */
const WARM_UP = 10;
/** Concurrent submissions, and concurrent transactions of the bare program. */
const CONCURRENCY = 16;

/** A service with the agents that submit to it in turn, each within its rate limit. */
export interface PipelineTarget {
  url: string;
  agents: SeededAgent[];
  /** Number of submissions so far. */
  submitted: number;
  /** Returns another request than a submission without an agreement. */
  draw?: (index: number) => HttpRequest;
}

/**
 * Returns the 99th percentile, over `samples` sequential submissions, of the milliseconds from
 * sending one to reading it as `RESOLVED`, minus the judge's own time. Submissions start at any
 * moment between two blocks.
 */
export async function measureOverhead(
  target: PipelineTarget,
  { samples, blockMs }: { samples: number; blockMs: number },
): Promise<number> {
  for (let i = 0; i < WARM_UP; i++) await measureResolution(target);
  const judging = await measureJudgeMs();
  const overheads: number[] = [];
  for (let i = 0; i < samples; i++) {
    await pause(Math.random() * blockMs);
    overheads.push((await measureResolution(target)) - judging);
  }
  return percentile(overheads, 99);
}

/** Returns the median milliseconds from sending one of `samples` concurrent submissions to reading it as `RESOLVED`. */
export async function measureVerdict(target: PipelineTarget, samples: number): Promise<number> {
  const times = Array.from({ length: samples }, () => measureResolution(target));
  return percentile(await Promise.all(times), 50);
}

/** Measures the built-in judge's time for the text of these benchmarks. */
async function measureJudgeMs(): Promise<number> {
  const input = canonicaliseCase(JUDGED_CASE).input as Canonical;
  const times: number[] = [];
  for (let i = 0; i < 100; i++) {
    const started = performance.now();
    await builtinJudge.judge(input);
    times.push(performance.now() - started);
  }
  return percentile(times, 50);
}

async function measureResolution(target: PipelineTarget): Promise<number> {
  const started = performance.now();
  await waitForResolution(target.url, await submit(target), POLL_MS);
  return performance.now() - started;
}

/** Reads an outcome of the service at `url` every `pollMs` until it is resolved. */
export async function waitForResolution(url: string, id: string, pollMs: number): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; performance.now() < end; await pause(pollMs)) {
    const response = await fetch(`${url}/api/v1/outcome/${id}`);
    const { status } = (await response.json()) as { status: string };
    if (status === "RESOLVED") return;
  }
  throw new Error(`${id} is not resolved after three minutes`);
}

function submit(target: PipelineTarget): Promise<string> {
  const index = target.submitted++;
  const draw = target.draw ?? ((at) => drawSubmission(target.agents, at));
  return sendSubmission(target.url, draw(index));
}

/** Sends a submission to the service at `url` and returns the outcome's id. */
export async function sendSubmission(
  url: string,
  { path, ...request }: HttpRequest,
): Promise<string> {
  const response = await fetch(url + path, request);
  if (response.status !== 202) throw new Error(`Submission refused: ${await response.text()}`);
  return ((await response.json()) as Submission).outcomeId;
}

/** Measures outcomes per second, from the first of `count` submissions to the last resolution. */
export async function measureResolving(
  target: PipelineTarget,
  sql: postgres.Sql,
  count: number,
): Promise<number> {
  const started = performance.now();
  const submissions = Array.from({ length: count }, () => target);
  await pLimit(CONCURRENCY).map(submissions, submit);
  // In one transaction, because the commits of the service are counted.
  return sql.begin(async (tx) => {
    for (;;) {
      const [row] = await tx<{ open: number }[]>`
        select count(*)::int as open from outcomes where status = 'EVALUATING'`;
      const ms = performance.now() - started;
      if (row?.open === 0) return (count / ms) * 1000;
      if (ms > TIMEOUT_MS)
        throw new Error(`${row?.open} outcomes are not resolved after three minutes`);
      await pause(POLL_MS * 2);
    }
  });
}

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
  const readCpu = () => Promise.all(PROCESSES.map((name) => readCpuMs(pids[name])));

  const idleFrom = await readCommits();
  const before = await readCommits();
  const idlePerMs = (before - idleFrom) / STATISTICS_MS;
  const started = performance.now();
  const cpuBefore = await readCpu();
  await measureResolving(target, sql, count);
  const cpuAfter = await readCpu();
  const commits = (await readCommits()) - before - idlePerMs * (performance.now() - started);

  const cpu = cpuAfter.map((ms, index) => (ms - (cpuBefore[index] ?? Number.NaN)) / count);
  const total = cpu.reduce((sum, ms) => sum + ms, 0);
  return [
    createFigure("pipeline.commits", "commits", commits / count, 1),
    ...cpu.map((ms, index) => createFigure(`pipeline.cpu_${PROCESSES[index]}`, "ms", ms, total)),
  ];
}

/**
 * Returns the verdicts per second of a minimal program: one transaction each, signed and sent with
 * consecutive nonces without waiting for blocks, until the last one is in a block.
 */
export async function measureBareRecording(chain: Chain, count: number): Promise<number> {
  const { client, recorder } = chain;
  const firstNonce = await client.getTransactionCount({ ...recorder, blockTag: "pending" });
  const nonces = Array.from({ length: count }, (_, i) => firstNonce + i);
  const started = performance.now();
  await pLimit(CONCURRENCY).map(nonces, async (nonce) => {
    const serializedTransaction = await recorder.signTransaction({
      type: "eip1559",
      chainId: chain.id,
      to: chain.registryAddress,
      nonce,
      maxFeePerGas: 1_000_000_000n,
      maxPriorityFeePerGas: 1n,
      ...encodeRecords([createOutcomeRecord(nonce)]),
    });
    await client.sendRawTransaction({ serializedTransaction });
  });
  while ((await client.getTransactionCount(recorder)) < firstNonce + count) await pause(POLL_MS);
  return (count / (performance.now() - started)) * 1000;
}
