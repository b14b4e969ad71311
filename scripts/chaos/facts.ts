import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { EvidenceRow } from "@/server/reputation/evidence/evidence-row";
import type { StoredTotals } from "@/server/reputation/evidence/totals";
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

/** Rows of the database by table, as `collect.ts` selects them; times in milliseconds. */
export interface Rows {
  outcomes: {
    id: string;
    submitter: string;
    idempotencyKey: string | null;
    contractor: string;
    requester: string;
    status: string;
    verdict: string | null;
    confidencePpm: number | null;
    finalVerdict: string | null;
    onChainTx: string | null;
    recordIndex: number | null;
  }[];
  disputes: {
    id: string;
    outcomeId: string;
    contractor: string;
    requester: string;
    openedBy: Party;
    recordedVerdict: string;
    status: string;
    verdict: string | null;
    finalVerdict: string | null;
    onChainTx: string | null;
  }[];
  /** Stakes of the parties of disputes. */
  sides: { disputeId: string; party: Party; transferId: string }[];
  payouts: { id: string; to: string; micro: string; status: string; txHash: string | null }[];
  transfers: TransferFact[];
  deliveries: DeliveryFact[];
  attempts: { deliveryId: string; attempt: number; at: number; latencyMs: number }[];
  /** Scores after a change, in 1/10,000 points. */
  scores: {
    wallet: string;
    version: number;
    scoreE4: number;
    previousScoreE4: number;
    tier: string;
  }[];
  /** Stored sums of the wallets' evidence, with the version of the reputation. */
  totals: { wallet: string; version: number; totals: StoredTotals | null }[];
  evidence: EvidenceFact[];
  ledger: LedgerEntry[];
  takeovers: { wallet: string }[];
  /** Current and former anchors, with `seq` of their record and of that of their revocation. */
  anchors: {
    wallet: string;
    seq: number | null;
    isRevoked: boolean;
    revokedSeq: number | null;
  }[];
  /** Jobs of an escrow, with the outcome of the agreement whose money they hold. */
  escrowJobs: EscrowFact[];
}

type Party = "contractor" | "requester";

export interface EscrowFact {
  escrow: string;
  jobId: string;
  outcomeId: string | null;
}

/** A payment that the service accepted. */
export interface TransferFact extends ChainTransfer {
  id: string;
  purpose: "stake" | "payment" | "refund" | "unattached-stake";
  isReorged: boolean;
}

export interface DeliveryFact {
  id: string;
  webhookId: string;
  eventId: string;
  event: string;
  payload: string;
  status: string;
  nextAttemptAt: number | null;
}

/** A row of a wallet's evidence; weights as strings. */
export interface EvidenceFact extends Omit<EvidenceRow, "good" | "bad" | "earned" | "lost"> {
  wallet: string;
  good: string;
  bad: string;
  earned: string;
  lost: string;
}

interface LedgerEntry {
  seq: number;
  txHash: string;
}

export interface ChainFacts {
  /** Every record of the registry, ordered by block and log. */
  records: RecordFact[];
  /** The contract's count of records. */
  seq: number;
  head: string;
  /** The head of the hash chain, computed from the logs. */
  computedHead: string;
  /** Every USDC transfer on the canonical chain. */
  transfers: ChainTransfer[];
  /** What ended each job of the escrow: one entry per log that does. */
  settledJobs: SettledJob[];
  stakeAddress: string;
  stakeBalanceMicro: string;
}

export interface SettledJob {
  jobId: string;
  client: string;
  provider: string;
  /** Null if the provider got nothing. */
  releasedMicro: string | null;
}

interface ChainTransfer {
  txHash: string;
  from: string;
  to: string;
  micro: string;
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
