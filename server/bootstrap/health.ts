import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@/server/db/client";
import { getStartedInterpreters } from "@/server/judging/checks/code/sandbox/execute-code";
import type { Core } from "@/server/lib/context";
import type { EventLoopDelay, EventLoopWatch } from "@/server/lib/process/event-loop";
import type { LogOutput, LogState } from "@/server/lib/process/log-output";
import {
  findClockProblems,
  getChainAheadMs,
  readDatabaseAheadMs,
} from "@/server/operations/clocks";
import type { CheckedPart } from "@/server/operations/tables";

interface PartHealth {
  /** `untested`: only of the judge, until each model has answered a question. */
  status: "ok" | "untested" | "unavailable";
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
  /** Whether delivered code can be executed, by interpreter; never causes a 503. */
  sandbox: PartHealth;
  log: LogState;
  /**
   * Whether database and chain have the time of this process, by their `clockAheadMs`; never causes a 503.
   */
  clocks: { status: "ok" | "differ" };
  /** Recent delay of this process's event loop; never causes a 503. */
  eventLoop: EventLoopDelay;
}

interface Probes {
  core: Core;
  databaseUrl: string;
  engine: () => Promise<Record<string, unknown>>;
  judge: () => Promise<Record<string, unknown>>;
  work: () => Promise<Record<string, unknown>>;
  log: Pick<LogOutput, "state">;
  eventLoop: EventLoopWatch;
}

const PROBE_TIMEOUT_MS = 2_000;
/** Failed checks in a row that count as an outage; one check may just be slow under load. */
const OUTAGE_FAILURES = 3;

/**
 * Creates the check of every part. The service can serve while database and engine work; without the
 * chain, the judge or an Inngest server, outcomes stay `EVALUATING`, which is reported but does not
 * cause a 503.
 */
export function createHealthCheck(probes: Probes) {
  const { core, databaseUrl, engine, judge, work, log, eventLoop } = probes;
  // A connection of its own, since those of requests may all be busy.
  let connection = openDatabase(databaseUrl, 1);
  let isClosed = false;
  let failures = 0;

  async function probeDatabase(): Promise<PartHealth> {
    const used = connection;
    const health = await probe(async () => {
      const [row] = await used.db.sql`show server_version`;
      return { version: row?.server_version, clockAheadMs: await readDatabaseAheadMs(used.db) };
    });
    if (health.status === "unavailable" && used === connection && !isClosed) {
      // After a network failure, it could hang for minutes when the database is back.
      connection = openDatabase(databaseUrl, 1);
      void used.close();
    }
    return health;
  }

  async function check(): Promise<Health> {
    const [database, chain, engineState, judgeState, workState] = await Promise.all([
      probeDatabase(),
      probe(() => describeChain(core.chain)),
      probe(engine),
      probe(judge),
      probe(work),
    ]);
    const isEngineUp = engineState.status === "ok";
    // Without the engine's server, requests are served and their events wait in the database.
    const canServe = database.status === "ok" && (isEngineUp || engineState.server !== undefined);
    failures = canServe ? 0 : failures + 1;
    const sandbox = describeSandbox();
    const clocks = compareClocks(database, chain);
    const states = [sandbox, log.state, clocks];
    const isDegraded = failures > 0 || !isEngineUp || states.some(({ status }) => status !== "ok");
    return {
      status: failures >= OUTAGE_FAILURES ? "unavailable" : isDegraded ? "degraded" : "ok",
      database,
      chain,
      engine: engineState,
      judge: judgeState,
      work: workState,
      sandbox,
      log: { ...log.state },
      clocks,
      eventLoop: eventLoop.read(),
    };
  }

  async function close(): Promise<void> {
    isClosed = true;
    await connection.close();
  }

  return { check, close };
}

async function describeChain({ client, id, name, registryAddress }: Core["chain"]) {
  const latest = await client.getBlock();
  return {
    chainId: id,
    name,
    registryAddress,
    blockNumber: Number(latest.number),
    clockAheadMs: getChainAheadMs(latest),
  };
}

function compareClocks(database: PartHealth, chain: PartHealth): Health["clocks"] {
  const getAheadMs = ({ clockAheadMs }: PartHealth) =>
    typeof clockAheadMs === "number" ? clockAheadMs : null;
  const problems = findClockProblems({
    databaseAheadMs: getAheadMs(database),
    chainAheadMs: getAheadMs(chain),
  });
  return { status: problems.length === 0 ? "ok" : "differ" };
}

/** Returns the number of outcomes and of other work that is overdue. */
export function countOverdue({ engine, work }: Health) {
  const stalled = Object.values((work.stalled ?? {}) as Record<string, number>);
  return {
    outcomes: Number(engine.delayedOutcomes ?? 0),
    other: stalled.reduce((sum, count) => sum + count, 0),
  };
}

/** Returns the parts that are down; the queue is, if work is overdue. */
export function findDownParts(health: Health): CheckedPart[] {
  const { chain, judge, work } = health;
  const overdue = countOverdue(health);
  const isDelayed = work.status !== "ok" || overdue.outcomes + overdue.other > 0;
  return [
    ...(chain.status === "ok" ? [] : (["chain"] as const)),
    ...(judge.status === "unavailable" ? (["judge"] as const) : []),
    ...(isDelayed ? (["queue"] as const) : []),
  ];
}

function describeSandbox(): PartHealth {
  const started = getStartedInterpreters();
  return { status: Object.values(started).every(Boolean) ? "ok" : "unavailable", ...started };
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
