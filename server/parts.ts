import { CannotStart } from "./lib/cannot-start";
import type { Env } from "./lib/env";

/** How to reach the database and the chain, and the key that seals. */
export interface Parts {
  databaseUrl: string;
  chain: {
    rpcUrl: string;
    chainId: number | undefined;
    registryAddress: string;
    usdcAddress: string;
    recorderKey: string;
    stakeKey: string;
    confirmations: number;
  };
  secretKey: string;
  /** Which of them the service plays itself. */
  local: { database: boolean; chain: boolean };
  /** One phrase for each, for people. */
  describe: { database: string; chain: string };
  /** Where the log goes when not to stderr. */
  logFile?: string | undefined;
  /** Has `listener` called whenever the chain was started again, maybe without its latest blocks. */
  onChainRestart?(listener: () => Promise<void>): void;
  /** Says that `stop` will be called soon: who starts meanwhile on the same data waits for it. */
  stopping?(): void;
  stop(): Promise<void>;
}

/** Ends what was started, newest first; what cannot be ended keeps nothing else from its end. */
export async function endAll(stops: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops.splice(0).reverse()) {
    await stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "not everything ended as it should");
}

/** Tells how starting goes on: one call a stage, around its work. */
export type Stage = <T>(
  name: string,
  work: () => Promise<T>,
  say: (result: T) => string,
) => Promise<T>;

/** A chain that the environment names, or null. The schema of `env` sees to it that all is there. */
export function givenChain(env: Env): Parts["chain"] | null {
  const { CHAIN_RPC_URL, REGISTRY_ADDRESS, USDC_ADDRESS, RECORDER_KEY, STAKE_KEY } = env;
  if (!CHAIN_RPC_URL || !REGISTRY_ADDRESS || !USDC_ADDRESS || !RECORDER_KEY || !STAKE_KEY) {
    return null;
  }
  return {
    rpcUrl: CHAIN_RPC_URL,
    chainId: env.CHAIN_ID,
    registryAddress: REGISTRY_ADDRESS,
    usdcAddress: USDC_ADDRESS,
    recorderKey: RECORDER_KEY,
    stakeKey: STAKE_KEY,
    confirmations: env.CHAIN_CONFIRMATIONS ?? 5,
  };
}

/**
 * The parts of a host that starts none itself. Local mode is left out here on purpose: a host that
 * only runs Next has no process that could end what it started.
 */
export function givenParts(env: Env): Parts {
  const chain = givenChain(env);
  if (!env.DATABASE_URL || !chain || !env.SECRET_KEY) {
    throw new CannotStart(
      "Without npm start there is no local mode: set DATABASE_URL, SECRET_KEY and the chain's variables.",
    );
  }
  return {
    databaseUrl: env.DATABASE_URL,
    chain,
    secretKey: env.SECRET_KEY,
    local: { database: false, chain: false },
    describe: { database: "given by DATABASE_URL", chain: describeChain(chain) },
    stop: async () => {},
  };
}

/** Host only: the URL of a node may hold a key. */
export const describeChain = (chain: Parts["chain"]) => `chain at ${new URL(chain.rpcUrl).host}`;
