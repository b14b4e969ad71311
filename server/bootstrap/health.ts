import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import type { EventLoopDelay, EventLoopWatch } from "@/server/lib/process/event-loop";
import type { LogOutput, LogState } from "@/server/lib/process/log-output";

interface PartHealth {
  status: "ok" | "unavailable";
  [fact: string]: unknown;
}

export interface Health {
  /**
   * `degraded`: the process serves requests, but something needs attention. `stopping`: it still
   * serves them, but proxies should use another.
   */
  status: "ok" | "degraded" | "unavailable" | "stopping";
  database: PartHealth;
  chain: PartHealth;
  engine: PartHealth;
  judge: PartHealth;
  /** Counts of work that is overdue, by kind. */
  work: PartHealth;
  log: LogState;
  /** Recent delay of this process's event loop; never causes a 503. */
  eventLoop: EventLoopDelay;
}

interface Probes {
  core: Core;
  engine: () => Promise<Record<string, unknown>>;
  judge: () => Promise<Record<string, unknown>>;
  work: () => Promise<Record<string, unknown>>;
  log: Pick<LogOutput, "state">;
  eventLoop: EventLoopWatch;
}

const PROBE_TIMEOUT_MS = 2_000;

/**
 * Checks every part. The service can serve while database and engine work; without the chain or the
 * judge, outcomes stay `EVALUATING`, which is reported but does not cause a 503.
 */
export async function checkHealth({
  core,
  engine,
  judge,
  work,
  log,
  eventLoop,
}: Probes): Promise<Health> {
  const [database, chain, engineState, judgeState, workState] = await Promise.all([
    probe(async () => {
      const [row] = await core.db.execute<{ server_version: string }>(sql`show server_version`);
      return { version: row?.server_version };
    }),
    probe(async () => ({
      chainId: core.chain.id,
      name: core.chain.name,
      registryAddress: core.chain.registryAddress,
      blockNumber: Number(await core.chain.client.getBlockNumber({ cacheTime: 0 })),
    })),
    probe(engine),
    probe(judge),
    probe(work),
  ]);
  const canServe = database.status === "ok" && engineState.status === "ok";
  return {
    status: canServe ? (log.state.status === "ok" ? "ok" : "degraded") : "unavailable",
    database,
    chain,
    engine: engineState,
    judge: judgeState,
    work: workState,
    log: log.state,
    eventLoop: eventLoop.read(),
  };
}

/**
 * Returns the result of `check`, or `unavailable` if it throws or takes too long. The error is not
 * exposed: it may hold connection strings and hosts.
 */
async function probe(check: () => Promise<Record<string, unknown>>): Promise<PartHealth> {
  const timeout = pause(PROBE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error("timeout");
  });
  return Promise.race([check(), timeout]).then(
    (facts) => ({ status: "ok" as const, ...facts }),
    () => ({ status: "unavailable" as const }),
  );
}
