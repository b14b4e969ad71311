import { Gauge, type Registry } from "prom-client";
import { fromMicro } from "@/server/lib/usdc";
import type { Status } from "./status";

/** Defines the gauges of shared state; every process reports the same values. */
export function defineStateMetrics(registry: Registry) {
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

export type StateMetrics = ReturnType<typeof defineStateMetrics>;

/**
 * Clears every gauge. After `reset`, a gauge without labels would report 0 as if it were measured.
 */
export function clearStateMetrics(metrics: StateMetrics): void {
  for (const metric of Object.values(metrics)) {
    metric.reset();
    metric.remove({});
  }
}

/** Sets every gauge; one whose source is unavailable has no value. */
export function updateStateMetrics(
  metrics: StateMetrics,
  status: Status,
  confirmations: number,
): void {
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
