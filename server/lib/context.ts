import type { Logger } from "pino";
import type { Address, PublicClient } from "viem";
import type { Database, Transaction } from "./database";
import type { Env } from "./env";

export type { Database, Sql, Transaction } from "./database";

export interface Erc8004Registries {
  identityAddress: Address;
  reputationAddress: Address;
  /** Block from which their logs are read. */
  fromBlock: bigint;
}

export interface EvaluatedEscrows {
  addresses: readonly Address[];
  /** Block from which their logs are read. */
  fromBlock: bigint;
  /** The account that completes and rejects jobs. */
  evaluator: Address;
}

/** The chain for the domains: public facts, and a read-only client. */
export interface ChainInfo {
  id: number;
  name: string;
  /** Block explorer, without a trailing slash; null on a local chain. */
  explorerUrl: string | null;
  /** Node URL for wallets to connect to; shown in local mode only. */
  rpcUrl: string | null;
  registryAddress: Address;
  usdcAddress: Address;
  /** Address that receives the stakes. */
  stakeAddress: Address;
  /** Address that signs the records. */
  recorderAddress: Address;
  /**
   * The contract that verifies score statements, and the account that signs them; null if signed
   * statements are not configured.
   */
  scoreGate: { address: Address; signer: Address } | null;
  /** The ERC-8004 registries; null if none are configured, or the chain has no contracts there. */
  erc8004: Erc8004Registries | null;
  /** Account that gives ERC-8004 feedback; null if feedback is not published. */
  feedbackAddress: Address | null;
  /** The ERC-8183 escrows that this service evaluates; null if none are configured. */
  escrows: EvaluatedEscrows | null;
  /** Depth at which a record counts as written. */
  confirmations: number;
  /** Whether it is a development chain, whose tokens have no value. */
  isLocal: boolean;
  client: PublicClient;
}

/** The dependencies that every part of the server receives at startup. */
export interface Core {
  env: Env;
  db: Database;
  log: Logger;
  publish: Publish;
  chain: ChainInfo;
}

/** One request, as procedures see it, over any transport. */
export interface RequestInfo {
  id: string;
  /** Client IP, from the socket or a trusted proxy. */
  ip: string;
  /** Origin of the service without a trailing slash, e.g. `http://localhost:3000`. */
  origin: string;
  apiKey: string | null;
  /**
   * Token of a signed-in browser's cookie. Null on the REST transport, which ignores cookies, and
   * for requests that another site could have made the browser send.
   */
  session: string | null;
  /** `X-Wallet-Address` as sent. */
  claimedWallet: string | null;
  idempotencyKey: string | null;
  transport: "rest" | "trpc" | "page";
}

/**
 * The limit on all requests of a wallet. Keyed by the wallet after its key was checked, so that
 * all keys of a wallet share it and a request without a valid key never counts against it.
 */
export interface WalletGuard {
  /** Counts the request. Throws `rate-limited` if it is over the limit. */
  take(wallet: string): void;
  /** Stops counting the request, which was an idempotent replay. */
  release(): void;
}

/** Headers that a procedure adds to the response; transports without headers drop them. */
export interface Reply {
  header(name: string, value: string): void;
}

/** The context of every tRPC procedure. */
export interface Context extends Core {
  request: RequestInfo;
  reply: Reply;
  /** Absent if the transport counts all requests by address, as tRPC does, or none, as pages do. */
  guard?: WalletGuard;
}

/** An event as Inngest knows it. Publishing the same `id` twice is one event. */
export interface AppEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

/**
 * Publishes events in the SQL transaction of the change they announce: both happen or neither. Call
 * it after all other changes of the transaction, with all its events at once: deliveries to webhooks
 * are written here, with the data as it is now.
 */
export type Publish = (tx: Transaction, events: AppEvent[]) => Promise<void>;
