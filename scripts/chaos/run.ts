import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { privateKeyToAddress } from "viem/accounts";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createRandom, type Random } from "@/scripts/lib/random";
import { MINUTE_MS } from "@/server/lib/time";
import { type Agent, createAmountGenerator, type Load, registerAgent } from "./agent";
import type { Options } from "./arguments";
import { type Checked, checkAll } from "./checker";
import { openClient } from "./client";
import { collect } from "./collect";
import { type Environment, startEnvironment } from "./environment";
import { heal, injectFaults } from "./faults";
import { type History, openHistory } from "./history";
import { runAgent } from "./load";
import { runOperator } from "./operator";
import { countFaults } from "./report";
import { runSquatters } from "./squatters";
import { checkIdle, waitUntilIdle } from "./wait-until-idle";

const AGENTS = 12;
const START_TIMEOUT_MS = 3 * MINUTE_MS;
/** Covers several writes of the chain's state, so that the agents' funds survive a kill. */
const SETTLE_FUNDS_MS = 8_000;
const REPORT_EVERY_MS = 15_000;
const MAX_SKEW_MS = 6_000;
const CORRECT_CLOCK_PROBABILITY = 0.4;

export interface ChaosResult {
  checked: Checked[];
  history: History;
  folder: string;
  /** Seconds from the last fault until no work was open. */
  idleSeconds: number;
  counts: Counts;
}

type Counts = Record<Parameters<Load["count"]>[0], number>;
type Phase = "setting up" | "breaking" | "closing" | "over";

/** Runs load and faults, heals the service, waits until it is idle, and checks the invariants. Calls
 * `printLine` with lines of progress. */
export async function runChaos(
  options: Options,
  printLine: (line: string) => void,
): Promise<ChaosResult> {
  // One random generator per purpose, so that no part of a run affects the draws of another.
  const [loadRandom, faultRandom, walletRandom, clockRandom] = [0, 1, 2, 3].map((purpose) =>
    createRandom(Math.imul(options.seed, 4) + purpose),
  ) as [Random, Random, Random, Random];
  const folder = await mkdtemp(join(tmpdir(), "standing-chaos-"));
  const history = openHistory(join(folder, "history.jsonl"));
  const run = { phase: "setting up" as Phase };
  const isOver = () => run.phase === "over";
  const skewMs = () =>
    options.calm || run.phase !== "breaking" || clockRandom.chance(CORRECT_CLOCK_PROBABILITY)
      ? 0
      : clockRandom.integer(-MAX_SKEW_MS, MAX_SKEW_MS);
  printLine(`seed ${options.seed}; logs and history in ${folder}`);
  const environment = await startEnvironment({ folder, apps: options.apps, skewMs });
  const agents: Agent[] = [];
  const runAndCheck = async (): Promise<ChaosResult> => {
    await waitUntilServing(environment, folder);
    const client = openClient(environment.apps, history, loadRandom, isOver);
    const { rpcUrl, usdcAddress, stakeKey } = environment.chain.chain;
    const wallet = { rpcUrl, usdcAddress, random: walletRandom, history, isOver };
    const registering = Array.from({ length: AGENTS }, (_, index) =>
      registerAgent(client, wallet, { name: `Agent ${index + 1}`, isVerified: index % 2 === 0 }),
    );
    agents.push(...(await Promise.all(registering)));
    await pause(SETTLE_FUNDS_MS);

    const counts: Counts = { submitted: 0, resolved: 0, disputed: 0, refunded: 0 };
    const load: Load = {
      client,
      random: loadRandom,
      agents,
      stakeAddress: privateKeyToAddress(stakeKey),
      createAmount: createAmountGenerator(),
      isClosing: () => run.phase !== "breaking",
      isOver,
      count: (event) => {
        counts[event] += 1;
      },
    };
    run.phase = "breaking";
    const wallets = agents.flatMap(({ isVerified, address }) => (isVerified ? [address] : []));
    const running = Promise.all([
      ...agents.map((agent) => runAgent(load, agent)),
      runSquatters(load),
      runOperator({ load, wallets, env: environment.env, history }),
    ]);
    running.catch(() => {});
    const target = { environment, agents, history, random: faultRandom };
    const stopping = new AbortController();
    const breaking = options.calm ? null : injectFaults(target, stopping.signal);
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
    const healedAt = Date.now();
    const open = await waitUntilIdle(environment, running, options.patient, printLine);
    run.phase = "over";
    const idleSeconds = Math.round((Date.now() - healedAt) / 1_000);
    const facts = await collect(environment, agents, history, options.patient);
    const checked = [...checkAll(facts), checkIdle(open)];
    return { checked, history, folder, idleSeconds, counts };
  };
  try {
    return await Promise.race([runAndCheck(), rejectOnSignal()]);
  } finally {
    run.phase = "over";
    await environment.stop();
    for (const { receiver } of agents) await receiver.close();
    await history.close();
  }
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
