import { timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Chain } from "@/server/chain/client";
import { getStartedInterpreters } from "@/server/judging/checks/code/sandbox/execute-code";
import { type Judge, JudgeUnavailable } from "@/server/judging/judge";
import type { Database } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import type { EventLoopWatch } from "@/server/lib/process/event-loop";
import type { LogOutput } from "@/server/lib/process/log-output";
import { fromMicro } from "@/server/lib/usdc";
import { readStalled, type Stalled } from "./stalled";
import { readStatus, type Status } from "./status";

export interface MetricsResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Metrics {
  /** Responds to a scrape: 404 if no token is configured, 401 if the token is wrong. */
  serve(authorization: string | undefined): Promise<MetricsResponse>;
  /** Records a response of the REST transport. */
  observeResponse(response: { operation: string | null; status: number; seconds: number }): void;
  /** Counts a check that failed by a fault of its own. */
  countCheckFault(check: string): void;
  /** Returns `judge` with its calls measured. */
  instrumentJudge(judge: Judge): Judge;
  /**
   * Returns stalled work by kind, cached for some seconds because health is public and polled
   * often.
   */
  countStalledWork(): Promise<{ stalled: Record<string, number> }>;
}

interface Parts {
  db: Database;
  chain: Chain;
  log: Logger;
  output: Pick<LogOutput, "state">;
  /** Bearer token that a scrape must send. */
  token: string | undefined;
  eventLoop: EventLoopWatch;
}

/** How long results are cached. */
const CACHE_MS = 5_000;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JUDGE_SECONDS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300];

/**
 * Creates the metrics of this process and of the state in the database and the chain, which all
 * processes share. Every label has a bounded set of values: no wallet, no id, no raw path.
 */
export function createMetrics({ db, chain, log, output, token, eventLoop }: Parts): Metrics {
  const registry = new Registry();
  const { requests, judgements, checkFaults, failures } = defineProcessMetrics(registry, {
    output,
    eventLoop,
  });
  const state = defineStateMetrics(registry);
  if (token) collectDefaultMetrics({ register: registry });
  const cacheStalled = cacheLoads<Stalled[]>({ ttlMs: CACHE_MS, max: 1 });
  const cacheStatus = cacheLoads<Status>({ ttlMs: CACHE_MS, max: 1 });
  const measure = async <T>(task: string, call: () => Promise<T>): Promise<T> => {
    const end = judgements.startTimer({ task });
    try {
      const result = await call();
      end({ result: "answered" });
      return result;
    } catch (error) {
      end({ result: error instanceof JudgeUnavailable ? "unavailable" : "fault" });
      throw error;
    }
  };

  return {
    async serve(authorization) {
      if (!token) return createResponse(404, "Not found.");
      if (!isBearer(authorization, token)) {
        return createResponse(401, "Unauthorized.", { "WWW-Authenticate": "Bearer" });
      }
      try {
        const status = await cacheStatus("", () => readStatus({ db, chain }, new Date()));
        updateStateMetrics(state, status, chain.confirmations);
      } catch (error) {
        failures.inc();
        log.warn({ err: error }, "cannot read the state for a scrape");
        clearStateMetrics(state);
      }
      return createResponse(200, await registry.metrics(), {
        "Content-Type": registry.contentType,
      });
    },
    observeResponse({ operation, status, seconds }) {
      requests.observe({ operation: operation ?? "none", status: String(status) }, seconds);
    },
    countCheckFault: (check) => checkFaults.inc({ check }),
    instrumentJudge: (judge) => ({
      ...judge,
      judge: (...input) => measure("outcome", () => judge.judge(...input)),
      review: (...input) => measure("dispute", () => judge.review(...input)),
    }),
    async countStalledWork() {
      const kinds = await cacheStalled("", () => readStalled(db, new Date()));
      const counts = kinds.map(({ kind, stalled }): [string, number] => [kind, stalled]);
      return { stalled: Object.fromEntries(counts) };
    },
  };
}

function createResponse(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): MetricsResponse {
  const defaults = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return { status, headers: { ...defaults, ...headers }, body };
}

/** Compares hashes of equal length, so that timing reveals neither the token nor its length. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const [, given] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  return (
    given !== undefined && timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)))
  );
}

/** Defines the metrics of this process. */
function defineProcessMetrics(
  registry: Registry,
  { output, eventLoop }: Pick<Parts, "output" | "eventLoop">,
) {
  const registers = [registry];
  new Counter({
    name: "standing_log_dropped_lines_total",
    help: "Log lines of this process that could not be written.",
    registers,
    collect() {
      this.reset();
      this.inc(output.state.droppedLines);
    },
  });
  new Gauge({
    name: "standing_event_loop_delay_seconds",
    help: "Delay of this process's event loop in the last 30 to 60 seconds.",
    labelNames: ["quantile"],
    registers,
    collect() {
      const { p99Ms, maxMs } = eventLoop.read();
      this.set({ quantile: "0.99" }, p99Ms / 1_000);
      this.set({ quantile: "1" }, maxMs / 1_000);
    },
  });
  new Gauge({
    name: "standing_sandbox_up",
    help: "Whether the latest sandbox of this process for delivered code started, by interpreter.",
    labelNames: ["interpreter"],
    registers,
    collect() {
      for (const [interpreter, isUp] of Object.entries(getStartedInterpreters())) {
        this.set({ interpreter }, Number(isUp));
      }
    },
  });
  return {
    requests: new Histogram({
      name: "standing_http_request_duration_seconds",
      help: "Duration of REST API requests, by operation and status.",
      labelNames: ["operation", "status"],
      buckets: SECONDS,
      registers,
    }),
    judgements: new Histogram({
      name: "standing_judge_duration_seconds",
      help: "Duration of judge calls, by task and result.",
      labelNames: ["task", "result"],
      buckets: JUDGE_SECONDS,
      registers,
    }),
    checkFaults: new Counter({
      name: "standing_check_faults_total",
      help: "Checks that failed by a fault of their own and did not apply, by check.",
      labelNames: ["check"],
      registers,
    }),
    failures: new Counter({
      name: "standing_metrics_failures_total",
      help: "Scrapes for which the state of database or chain could not be read.",
      registers,
    }),
  };
}

/** Defines the gauges of shared state; every process reports the same values. */
function defineStateMetrics(registry: Registry) {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `standing_${name}`, help, labelNames, registers: [registry] });
  return {
    waiting: gauge("work_waiting", "Pending work, including stalled work, by kind.", "kind"),
    stalled: gauge("work_stalled", "Stalled work, by kind.", "kind"),
    oldest: gauge("work_oldest_seconds", "Age of the oldest pending work, by kind.", "kind"),
    runs: gauge("engine_runs", "Runs of the embedded engine, by state.", "state"),
    jobs: gauge("engine_jobs", "Jobs of the engine, by state.", "state"),
    deliveries: gauge("webhook_deliveries", "Webhook deliveries, by state.", "state"),
    judges: gauge("judge_silent_seconds", "Time since a judge stopped responding.", "judge"),
    records: gauge("ledger_records", "Ledger records in the database and in the registry.", "in"),
    owed: gauge("stakes_owed_usdc", "USDC that the stake account may owe."),
    held: gauge("stakes_held_usdc", "USDC on the stake account."),
    ether: gauge("account_ether", "Ether that an account of the service holds.", "account"),
    mayRecord: gauge("recorder_allowed", "1 if the recorder may write to the registry."),
    nodeUp: gauge("chain_up", "1 if the chain's node responds."),
    block: gauge("chain_block", "The latest block and the latest final block.", "height"),
    blockAge: gauge("chain_block_age_seconds", "Age of the latest block."),
    confirmations: gauge(
      "chain_confirmations",
      "Confirmations after which a record counts as written.",
    ),
  };
}

type StateMetrics = ReturnType<typeof defineStateMetrics>;

/**
 * Clears every gauge. After `reset`, a gauge without labels would report 0 as if it were measured.
 */
function clearStateMetrics(metrics: StateMetrics): void {
  for (const metric of Object.values(metrics)) {
    metric.reset();
    metric.remove({});
  }
}

/** Sets every gauge; one whose source is unavailable has no value. */
function updateStateMetrics(metrics: StateMetrics, status: Status, confirmations: number): void {
  clearStateMetrics(metrics);
  for (const { kind, waiting, stalled, oldestSeconds } of status.stalled) {
    metrics.waiting.set({ kind }, waiting);
    metrics.stalled.set({ kind }, stalled);
    metrics.oldest.set({ kind }, oldestSeconds ?? 0);
  }
  metrics.runs.set({ state: "active" }, status.engine.active);
  metrics.runs.set({ state: "failed" }, status.engine.failed);
  metrics.jobs.set({ state: "running" }, status.engine.running);
  metrics.jobs.set({ state: "due" }, status.engine.pending);
  metrics.deliveries.set({ state: "pending" }, status.deliveries.pending);
  metrics.deliveries.set({ state: "failed" }, status.deliveries.failed);
  for (const { id, since } of status.silentJudges) {
    metrics.judges.set({ judge: id }, (Date.now() - since.getTime()) / 1000);
  }
  metrics.records.set({ in: "database" }, status.records);
  metrics.owed.set(fromMicro(status.owedMicro));
  metrics.confirmations.set(confirmations);
  metrics.nodeUp.set(status.chain ? 1 : 0);
  if (status.chain) updateChainMetrics(metrics, status.chain);
}

function updateChainMetrics(metrics: StateMetrics, chain: NonNullable<Status["chain"]>): void {
  const { recorder, stake } = chain.accounts;
  metrics.records.set({ in: "registry" }, chain.registryRecords);
  metrics.held.set(fromMicro(stake.usdcMicro));
  metrics.ether.set({ account: "recorder" }, Number(recorder.wei) / 1e18);
  metrics.ether.set({ account: "stake" }, Number(stake.wei) / 1e18);
  metrics.mayRecord.set(recorder.mayRecord ? 1 : 0);
  metrics.block.set({ height: "latest" }, chain.block);
  if (chain.finalizedBlock !== null) {
    metrics.block.set({ height: "final" }, chain.finalizedBlock);
  }
  metrics.blockAge.set(chain.blockAgeSeconds);
}
