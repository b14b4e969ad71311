import type { RegistryLedger } from "@/server/chain/registry/read-registry";
import type { SigningChain } from "@/server/explorer/compare-agreements";
import {
  compareShown,
  computeScoreWithoutAnchors,
  type ShownRecords,
  type WalletComparison,
} from "@/server/explorer/compare-shown";
import type { Difference } from "@/server/explorer/compare-with-ledger";
import type { Reputation } from "@/server/reputation/schema";
import { groupLedger } from "@/server/reputation/score/group-ledger";

/** The result of checking one wallet against the chain. */
export interface Verification extends WalletComparison {
  /** Number of records in the ledger. */
  records: number;
  /** The last block read. */
  block: number;
  /** Why the node's ledger contradicts the contract; nothing was compared if there are any. */
  faults: string[];
  /** Number of outcomes compared. */
  outcomes: number;
  /** The score that the service shows. */
  score: number;
  /** The score from the ledger as if there were no anchors. */
  scoreWithoutAnchors: number;
}

interface Sources {
  readLedger: () => Promise<RegistryLedger>;
  readShown: () => Promise<ShownRecords & { reputation: Reputation }>;
  /** The chain that agreements and x402 receipts were signed for. */
  chain: SigningChain;
  /** Waits before the next attempt. */
  pause: () => Promise<void>;
  getTime: () => Date;
}

/** Differences are checked again, since records that arrive during a check are on one side only. */
const ATTEMPTS = 3;

/** Recomputes a wallet's score from the ledger and compares it with what the service shows. */
export async function verifyWallet(wallet: string, sources: Sources): Promise<Verification> {
  let result = await verifyOnce(wallet, sources);
  // A reorg during the read can cause faults, too.
  for (let attempt = 2; attempt <= ATTEMPTS && !isConsistent(result); attempt++) {
    await sources.pause();
    const before = new Set(result.differences.map(getKey));
    const hadFaults = result.faults.length > 0;
    result = await verifyOnce(wallet, sources);
    if (hadFaults) continue;
    const confirmed = result.differences.filter((difference) => before.has(getKey(difference)));
    result = { ...result, differences: confirmed };
  }
  return result;
}

const isConsistent = ({ faults, differences }: Verification) =>
  faults.length === 0 && differences.length === 0;

const getKey = ({ subject, field }: Difference) => `${subject}\n${field}`;

async function verifyOnce(
  wallet: string,
  { readLedger, readShown, chain, getTime }: Sources,
): Promise<Verification> {
  const { records, block, faults } = await readLedger();
  const shown = await readShown();
  const ledger = groupLedger(records);
  const compared =
    faults.length > 0
      ? { differences: [], lostEvidence: 0 }
      : await compareShown(wallet, shown, ledger, chain, getTime());
  return {
    ...compared,
    records: records.length,
    block: Number(block),
    faults,
    outcomes: shown.outcomes.length,
    score: shown.reputation.score,
    scoreWithoutAnchors: computeScoreWithoutAnchors(wallet, shown.reputation.scoreDay, ledger),
  };
}

/** What to verify; starts the worker. */
export interface VerifierRequest {
  wallet: string;
  registry: string;
  usdc: string;
  chainId: number;
  /** URL of the chain's node. */
  node: string;
  /** Origin of the service. */
  origin: string;
}

/** A difference as the page shows it, without the code that describes records. */
export interface ShownDifference extends Omit<Difference, "records"> {
  records: { seq: number; txHash: string; description: string }[];
}

export interface ShownVerification extends Omit<Verification, "differences"> {
  differences: ShownDifference[];
}

/** State of a check. The worker reports all but `cancelled`; `result` and `error` come last. */
export type VerifierReport =
  | { type: "progress"; blocks: number; allBlocks: number; records: number; allRecords: number }
  | { type: "result"; verification: ShownVerification }
  | { type: "error"; message: string }
  | { type: "cancelled" };
