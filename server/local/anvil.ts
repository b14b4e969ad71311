import type { ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createClient, type Hex, http } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { StartupError } from "@/server/lib/errors";
import {
  EVALUATOR_KEY,
  ensureContracts,
  FEEDBACK_KEY,
  getContractAddresses,
  type LocalContracts,
  RECORDER_KEY,
  STAKE_KEY,
  STATEMENT_KEY,
} from "./contracts";
import { findAnvil } from "./installed-binaries";
import { endProcess, findFreePort, isAlive, pollWhileAlive, spawnLogged } from "./process";

export interface LocalChain extends LocalContracts {
  rpcUrl: string;
  chainId: number;
  recorderKey: Hex;
  stakeKey: Hex;
  statementKey: Hex;
  feedbackKey: Hex;
  evaluatorKey: Hex;
  pid: number;
  stop(): Promise<void>;
}

interface Options {
  /** Folder for state, log and process file. Without one the chain ends with this process. */
  folder?: string;
  /** Signs score statements. Default: a well-known development key. */
  statementKey?: Hex | undefined;
  /** Port to listen on; a free one by default. */
  port?: number | undefined;
  /** Seconds between blocks. If unset, a block is mined only when a transaction is pending. */
  blockTime?: number;
  /** `safe` is this many blocks behind the latest, `finalized` twice as many. */
  slotsInAnEpoch?: number;
  /** Seconds between writes of the whole state. */
  stateInterval?: number;
  /** Receives messages for the user. */
  notify?: (message: string) => void;
}

/** Describes a running chain, so that the next start finds it. */
interface Running {
  pid: number;
  port: number;
  /** The node's own random id, once it responds: another node may get the same port later. */
  instanceId?: string;
}

const CHAIN_ID = 31_337;
const READY_WITHIN_MS = 30_000;

/**
 * Starts a local chain with the contracts on a free port of 127.0.0.1, or reuses the one that an
 * earlier process left running on the same folder. If a kill lost the state, the contracts
 * are deployed again at the same addresses. Throws `StartupError` if it cannot start.
 */
export async function startAnvil(options: Options = {}): Promise<LocalChain> {
  const home = options.folder ? resolve(options.folder) : await mkdtemp(join(tmpdir(), "anvil-"));
  await mkdir(home, { recursive: true });
  const isTemporary = options.folder === undefined;
  const running = (await findRunningNode(home)) ?? (await launch(home, options));
  const rpcUrl = getRpcUrl(running.port);
  const { statementKey = STATEMENT_KEY } = options;
  const stop = async () => {
    await endProcess(running.pid, "SIGTERM");
    await rm(isTemporary ? home : getProcessFile(home), { recursive: true, force: true });
  };
  try {
    return {
      rpcUrl,
      chainId: CHAIN_ID,
      ...(await ensureContracts(rpcUrl, privateKeyToAddress(statementKey))),
      recorderKey: RECORDER_KEY,
      stakeKey: STAKE_KEY,
      statementKey,
      feedbackKey: FEEDBACK_KEY,
      evaluatorKey: EVALUATOR_KEY,
      pid: running.pid,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function launch(home: string, options: Options): Promise<Running> {
  const binary = await findAnvil();
  const state = join(home, "state.json");
  const logFile = join(home, "anvil.log");
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await findFreePort());
    const child = spawnNode(binary, logFile, port, state, options);
    const running: Running = { pid: child.pid ?? 0, port };
    // Written immediately, so that a crash before the node's first response leaves no untracked
    // node.
    await writeFile(getProcessFile(home), JSON.stringify(running));
    const instanceId = await pollWhileAlive(child.pid, () => getInstanceId(port), READY_WITHIN_MS);
    if (instanceId) {
      await writeFile(getProcessFile(home), JSON.stringify({ ...running, instanceId }));
      return running;
    }
    child.kill("SIGKILL");
    const log = await readFile(logFile, "utf8").catch(() => "");
    if (attempt === 3) {
      throw new StartupError(`The local chain did not start. Its log is ${logFile}.`);
    }
    if (log.includes("--state")) await moveDamagedState(state, options.notify ?? console.warn);
  }
}

function spawnNode(
  binary: string,
  logFile: string,
  port: number,
  state: string,
  { folder, blockTime, slotsInAnEpoch = 1, stateInterval = 10 }: Options,
): ChildProcess {
  const flags = {
    host: "127.0.0.1",
    port,
    "chain-id": CHAIN_ID,
    // Low, as on Base: transactions signed here must stay payable on a chain that starts over.
    "block-base-fee-per-gas": 1_000_000,
    "slots-in-an-epoch": slotsInAnEpoch,
    ...(blockTime === undefined ? {} : { "block-time": blockTime }),
    ...(folder === undefined ? {} : { state, "state-interval": stateInterval }),
  };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  // A kept chain has its own process group: Ctrl-C must not end it before the service is done.
  const detached = folder !== undefined;
  const child = spawnLogged(binary, ["--quiet", ...args], { logFile, flags: "w", detached });
  if (folder === undefined) {
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.removeListener("exit", kill));
  }
  return child;
}

/**
 * Returns the chain that a running local mode keeps in `folder`, with what records and stakes need, or
 * null. Changes nothing.
 */
export async function findRunningChain(
  folder: string,
): Promise<Pick<
  LocalChain,
  "rpcUrl" | "chainId" | "registryAddress" | "usdcAddress" | "recorderKey" | "stakeKey"
> | null> {
  const running = await findRunningNode(resolve(folder));
  if (!running) return null;
  return {
    rpcUrl: getRpcUrl(running.port),
    chainId: CHAIN_ID,
    ...getContractAddresses(),
    recorderKey: RECORDER_KEY,
    stakeKey: STAKE_KEY,
  };
}

async function findRunningNode(home: string): Promise<Running | null> {
  const known = await readFile(getProcessFile(home), "utf8")
    .then((text) => JSON.parse(text) as Running)
    .catch(() => null);
  if (!known?.pid || !isAlive(known.pid)) return null;
  const instanceId = await getInstanceId(known.port);
  if (!instanceId) return null;
  return known.instanceId === undefined || known.instanceId === instanceId ? known : null;
}

async function getInstanceId(port: number): Promise<string | null> {
  const client = createClient({
    transport: http(getRpcUrl(port), { retryCount: 0, timeout: 5_000 }),
  });
  try {
    const metadata: { instanceId: string } = await client.request({
      method: "anvil_metadata" as never,
    });
    return metadata.instanceId;
  } catch {
    return null;
  }
}

async function moveDamagedState(state: string, notify: (message: string) => void): Promise<void> {
  const aside = state.replace(/json$/, `damaged-${Date.now()}.json`);
  await rename(state, aside);
  notify(
    `The local chain's state could not be read and was moved to ${aside}. The chain starts over; the service sends its records again.`,
  );
}

const getRpcUrl = (port: number) => `http://127.0.0.1:${port}`;
const getProcessFile = (home: string) => join(home, "anvil.json");
