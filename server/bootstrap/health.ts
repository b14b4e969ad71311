import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import type { EventLoopDelay, EventLoopWatch } from "@/server/lib/process/event-loop";

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
  /** Recent delay of this process's event loop; never causes a 503. */
  eventLoop: EventLoopDelay;
}

interface Probes {
  core: Core;
  engine: () => Promise<Record<string, unknown>>;
  judge: () => Promise<Record<string, unknown>>;
  work: () => Promise<Record<string, unknown>>;
  eventLoop: EventLoopWatch;
}

const PROBE_TIMEOUT_MS = 2_000;

/**
 * Checks every part. The service can serve while database and engine work; without the chain, the
 * judge or an Inngest server, outcomes stay `EVALUATING`, which is reported but does not cause a 503.
 */
export async function checkHealth({
  core,
  engine,
  judge,
  work,
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
  const isEngineUp = engineState.status === "ok";
  // Without the engine's server, requests are served and their events wait in the database.
  const canServe = database.status === "ok" && (isEngineUp || engineState.server !== undefined);
  return {
    status: canServe ? (isEngineUp ? "ok" : "degraded") : "unavailable",
    database,
    chain,
    engine: engineState,
    judge: judgeState,
    work: workState,
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
