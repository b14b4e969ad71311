import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { privateKeyToAddress } from "viem/accounts";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createRandom, type Random } from "@/scripts/lib/random";
import { Database } from "@/server/lib/database";
import { MINUTE_MS } from "@/server/lib/time";
import { readStalled } from "@/server/operations/stalled";
import { emptyEnv } from "@/server/testing/process/process-env";
import { type Agent, createAmountGenerator, type Load, registerAgent } from "./agent";
import type { Options } from "./arguments";
import { type Checked, checkAll, countFaults } from "./checker";
import { openClient } from "./client";
import { collect } from "./collect";
import { type Environment, startEnvironment } from "./environment";
import { heal, injectFaults } from "./faults";
import { type History, openHistory } from "./history";
import { runAgent, runSquatters } from "./load";

const AGENTS = 12;
const START_TIMEOUT_MS = 3 * MINUTE_MS;
/** Covers several writes of the chain's state, so that the agents' funds survive a kill. */
const SETTLE_FUNDS_MS = 8_000;
const REPORT_EVERY_MS = 15_000;
const MAX_SKEW_MS = 6_000;
const CORRECT_CLOCK_PROBABILITY = 0.4;

interface ChaosResult {
  checked: Checked[];
  history: History;
  folder: string;
  /** Seconds from the last fault until no work was open. */
  idleSeconds: number;
  counts: Counts;
}

type Counts = Record<Parameters<Load["count"]>[0], number>;

/** A run in progress. */
interface Run {
  phase: "setting up" | "breaking" | "closing" | "over";
  options: Options;
  folder: string;
  environment: Environment;
  history: History;
  agents: Agent[];
  counts: Counts;
  /** One generator per purpose, so that no part of a run affects the draws of another. */
  random: { load: Random; faults: Random; wallets: Random };
  printLine: (line: string) => void;
}

/**
 * Runs load and faults, heals the service, waits until it is idle, and checks the invariants. Calls
 * `printLine` with lines of progress.
 */
export async function runChaos(
  options: Options,
  printLine: (line: string) => void,
): Promise<ChaosResult> {
  const [load, faults, wallets, clocks] = [0, 1, 2, 3].map((purpose) =>
    createRandom(Math.imul(options.seed, 4) + purpose),
  ) as [Random, Random, Random, Random];
  const folder = await mkdtemp(join(tmpdir(), "standing-chaos-"));
  const history = openHistory(join(folder, "history.jsonl"));
  printLine(`seed ${options.seed}; logs and history in ${folder}`);
  let run: Run | undefined;
  const skewMs = () =>
    run?.phase !== "breaking" || clocks.chance(CORRECT_CLOCK_PROBABILITY)
      ? 0
      : clocks.integer(-MAX_SKEW_MS, MAX_SKEW_MS);
  const environment = await startEnvironment({ folder, skewMs });
  run = {
    ...{ phase: "setting up", options, folder, environment, history, agents: [], printLine },
    counts: { submitted: 0, resolved: 0, disputed: 0, refunded: 0 },
    random: { load, faults, wallets },
  };
  try {
    return await Promise.race([runAndCheck(run), rejectOnSignal()]);
  } finally {
    run.phase = "over";
    await environment.stop();
    for (const { receiver } of run.agents) await receiver.close();
    await history.close();
  }
}

async function runAndCheck(run: Run): Promise<ChaosResult> {
  const { environment, history, folder, counts, options } = run;
  await waitUntilServing(environment, folder);
  const load = await prepareLoad(run);
  run.phase = "breaking";
  const running = Promise.all([
    ...run.agents.map((agent) => runAgent(load, agent)),
    runSquatters(load),
    runOperator(run, load),
  ]);
  running.catch(() => {});
  await breakParts(run);
  const healedAt = Date.now();
  const open = await waitUntilIdle(run, running);
  run.phase = "over";
  const idleSeconds = Math.round((Date.now() - healedAt) / 1_000);
  const facts = await collect(environment, run.agents, history, options.patient);
  const checked = [...checkAll(facts), checkIdle(open)];
  return { checked, history, folder, idleSeconds, counts };
}

/** Registers the agents and funds their wallets. */
async function prepareLoad(run: Run): Promise<Load> {
  const { environment, history, random, agents, counts } = run;
  const { chain } = environment.chain;
  const isOver = () => run.phase === "over";
  const client = openClient(environment.apps, history, random.load, isOver);
  const { rpcUrl, usdcAddress } = chain;
  const wallet = { rpcUrl, usdcAddress, random: random.wallets, history, isOver };
  const registering = Array.from({ length: AGENTS }, (_, index) =>
    registerAgent(client, wallet, { name: `Agent ${index + 1}`, isVerified: index % 2 === 0 }),
  );
  agents.push(...(await Promise.all(registering)));
  await pause(SETTLE_FUNDS_MS);
  return {
    client,
    random: random.load,
    agents,
    stakeAddress: privateKeyToAddress(chain.stakeKey),
    chain,
    createAmount: createAmountGenerator(),
    isClosing: () => run.phase !== "breaking",
    isOver,
    count: (event) => {
      counts[event] += 1;
    },
  };
}

/** Injects faults for the time of the run, then heals everything. */
async function breakParts(run: Run): Promise<void> {
  const { environment, agents, history, random, counts, options, printLine } = run;
  const target = { environment, agents, history, random: random.faults };
  const stopping = new AbortController();
  const breaking = injectFaults(target, stopping.signal);
  for (const end = Date.now() + options.faultMinutes * MINUTE_MS; Date.now() < end; ) {
    await pause(Math.min(REPORT_EVERY_MS, end - Date.now()));
    const { kills, all } = countFaults(history);
    const { submitted, resolved, disputed, refunded } = counts;
    printLine(
      `${submitted} submitted, ${resolved} resolved, ${disputed} disputed, ${refunded} refunded; ${all} faults, ${kills} kills; ${Math.max(0, Math.round((end - Date.now()) / 1_000))} s left`,
    );
  }
  run.phase = "closing";
  stopping.abort();
  await breaking;
  await heal(target);
  history.recordNote("healed");
}

async function waitUntilServing(environment: Environment, folder: string): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await pause(500)) {
    if (await environment.isServing()) return;
  }
  throw new CommandError(`The service did not start; see ${folder}/app-1.log.`);
}

/** Rejects on a stop signal, so that the child processes are stopped before this one ends. */
const rejectOnSignal = () =>
  new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.once(signal, () =>
        reject(new CommandError("Stopped before the end; nothing was checked.")),
      );
    }
  });

/** Between two commands. */
const AVERAGE_INTERVAL_MS = 25_000;
const ADD_PROBABILITY = 0.6;
/** Probability that a command is killed, so that its result is unknown. */
const INTERRUPT_PROBABILITY = 0.2;
const MAX_INTERRUPT_MS = 4_000;
const COMMAND_TIMEOUT_MS = 90_000;

/** Adds and revokes anchors with the operator's command until the run closes. */
async function runOperator({ environment, history }: Run, load: Load): Promise<void> {
  // Only verified wallets can become anchors.
  const wallets = load.agents.flatMap(({ isVerified, address }) => (isVerified ? [address] : []));
  const { random } = load;
  while (!load.isClosing()) {
    await pause(random.between(0.5, 1.5) * AVERAGE_INTERVAL_MS);
    const [verb, wallet] = [
      random.chance(ADD_PROBABILITY) ? "add" : "revoke",
      random.pick(wallets),
    ];
    const timeoutMs = random.chance(INTERRUPT_PROBABILITY)
      ? random.integer(500, MAX_INTERRUPT_MS)
      : COMMAND_TIMEOUT_MS;
    const reason = verb === "add" ? ["--reason", "A customer"] : [];
    const code = await runAnchors([verb, wallet, ...reason], environment.env, timeoutMs);
    const result = code === null ? "interrupted" : `exit code ${code}`;
    history.recordNote("operator", `${verb} ${wallet}: ${result}`);
  }
}

/** Runs `npm run anchors`. Resolves to the exit code, or null if killed after `timeout` milliseconds. */
const runAnchors = (args: string[], env: Record<string, string>, timeout: number) =>
  new Promise<number | null>((resolve) => {
    const child = execFile(
      process.execPath,
      ["--import", "tsx", "scripts/anchors.ts", ...args],
      {
        env: { ...emptyEnv(), PATH: process.env.PATH, NODE_ENV: "production", ...env },
        timeout,
        killSignal: "SIGKILL",
      },
      () => resolve(child.exitCode),
    );
  });

/** Covers the last retry (after 12.5 minutes). */
const IDLE_TIMEOUT_MS = 25 * MINUTE_MS;
const POLL_MS = 3_000;
const REPORT_OPEN_EVERY_MS = 30_000;

/**
 * Waits until no work is open. Resolves to descriptions of work still open at the time limit.
 */
async function waitUntilIdle(
  { environment, options, printLine }: Run,
  load: Promise<unknown>,
): Promise<string[]> {
  let isLoadRunning = true;
  // Awaited only after the wait, so an early rejection must not count as unhandled.
  const loadEnded = load.finally(() => {
    isLoadRunning = false;
  });
  loadEnded.catch(() => {});
  const listAllOpen = async () => {
    const open = await environment
      .sql((sql) => listOpenWork(sql, options.patient))
      .catch((error: unknown) => [`the database: ${error}`]);
    if (!(await environment.isServing())) open.push("a process does not respond");
    if (isLoadRunning) open.push("an agent waits for a response");
    return open;
  };
  let open = await listAllOpen();
  let reportedAt = 0;
  for (const end = Date.now() + IDLE_TIMEOUT_MS; Date.now() < end && open.length > 0; ) {
    if (Date.now() - reportedAt > REPORT_OPEN_EVERY_MS) {
      reportedAt = Date.now();
      printLine(`still open: ${open.join("; ")}`);
    }
    await pause(POLL_MS);
    open = await listAllOpen();
  }
  if (!isLoadRunning) await loadEnded;
  return open;
}

/** Returns the result of the wait as that of an invariant. */
function checkIdle(open: string[]): Checked {
  return {
    invariant: {
      name: "all work finishes",
      promise: `after the last fault, all work finishes within ${IDLE_TIMEOUT_MS / MINUTE_MS} minutes`,
      check: () => ({ checked: 1, violations: [] }),
    },
    checked: 1,
    violations: open.map((description) => ({
      id: description.split(": ").at(-1) ?? description,
      description,
    })),
  };
}

/** What is never open: it needs an owner, or another day. */
const NOT_OPEN = ["webhooks", "scores"];

/**
 * Describes the work that is still open: the declared work that is due, transactions that are not final,
 * and active runs. Runs of deliveries, which wait for the next attempt, count only if `isPatient`.
 */
async function listOpenWork(sql: postgres.Sql, isPatient: boolean): Promise<string[]> {
  const [clock] = await sql<{ now: string }[]>`select now()::text`;
  const stalled = await readStalled(new Database(sql), new Date(clock?.now ?? ""));
  const due = stalled
    .filter(({ kind, waiting }) => waiting > 0 && !NOT_OPEN.includes(kind))
    .map(({ kind, waiting, ids }) => `${waiting} × ${kind}: ${ids.join(", ")}`);
  const others = await sql<{ kind: string; ids: string[] }[]>`
    select kind, array_agg(id) as ids from (
      select 'transaction without finality' as kind, id::text from chain_transactions
      where status in ('signed', 'confirmed')
      union all
      select 'run of ' || function_id, r.id::text from engine_runs r
      where r.status = 'active' and (${isPatient} or r.function_id <> 'standing-deliver-webhook')
    ) as open group by kind order by kind`;
  return [
    ...due,
    ...others.map(({ kind, ids }) => `${ids.length} × ${kind}: ${ids.slice(0, 3).join(", ")}`),
  ];
}
