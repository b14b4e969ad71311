import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { Rows } from "./collect-rows";
import type { ReceivedCall } from "./faulty-endpoints";
import type { Call } from "./history";

/**
 * Everything known at the end of a run: the agents' requests and responses, the database's rows, the
 * chain, the calls that webhook receivers got, and the API.
 */
export interface Facts {
  calls: Call[];
  rows: Rows;
  chain: ChainFacts;
  receivers: ReceiverFacts[];
  /** Responses of each process at the end. */
  published: PublishedFacts[];
  /** Whether the run waited for webhook retries. */
  isPatient: boolean;
}

/** A payment that the service accepted. */
export type TransferFact = Rows["transfers"][number];
export type DeliveryFact = Rows["deliveries"][number];

interface LedgerEntry {
  seq: number;
  txHash: string;
}

export interface ChainFacts {
  /** Every record of the registry, ordered by block and log. */
  records: RecordFact[];
  /** How the records differ from the contract's count and hash chain, one sentence each. */
  faults: string[];
  /** Every USDC transfer on the canonical chain. */
  transfers: { txHash: string; from: string; to: string; amountMicro: bigint }[];
  /** What ended each job of the escrow: one entry per log that does. */
  settledJobs: SettledJob[];
  stakeAddress: string;
  stakeBalanceMicro: bigint;
}

export interface SettledJob {
  jobId: string;
  client: string;
  provider: string;
  /** Null if the provider got nothing. */
  releasedMicro: bigint | null;
}

export type RecordFact = LedgerRecord & {
  seq: number;
  /**
   * The outcome's id; for a takeover or an anchor the wallet, for a revocation the anchor's `seq`.
   */
  subject: string;
  txHash: string;
  /** Index among the records of its transaction. */
  logIndex: number;
};

export interface ReceiverFacts {
  wallet: string;
  webhookId: string;
  secret: string;
  received: ReceivedCall[];
}

type Json = Record<string, unknown>;

/** Responses of one process: outcomes by id, reputations by wallet. */
export interface PublishedFacts {
  app: string;
  outcomes: Record<string, Json>;
  reputations: Record<string, Json>;
  /** Scores recomputed from the chain by the public formula, for the day of the response. */
  recomputed: Record<string, Json>;
  ledger: LedgerEntry[];
}
