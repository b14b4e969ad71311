import type { Dispute } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { Reputation } from "@/server/reputation/schema";
import type { GroupedLedger } from "@/server/reputation/score/group-ledger";
import { toScoreRecord } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { compareAgreements, type SigningChain } from "./compare-agreements";
import {
  compareDispute,
  compareLimit,
  compareOutcomes,
  compareScore,
  type Difference,
  hasLostEvidence,
} from "./compare-with-ledger";
import { compareX402Receipts } from "./compare-x402-receipts";
import type { AgentCheck } from "./risk/schema";

/** What the service shows of a wallet. */
export interface ShownRecords {
  reputation: Reputation | undefined;
  /** The reputation in its check, which is read from the database and not from a cache. */
  checked: Partial<Pick<AgentCheck, "reputation" | "limit">>;
  /** Every outcome of the wallet as contractor. */
  outcomes: PublicOutcome[];
  /** Their disputes, by outcome. */
  disputes: Map<string, Dispute>;
}

/** The differences of one wallet, and how many verdicts, also of disputes, could not be compared. */
export interface WalletComparison {
  differences: Difference[];
  /** Verdicts whose evidence the service has lost. */
  lostEvidence: number;
}

/** Compares all that the service shows of a wallet with the ledger, and recovers who signed. */
export async function compareShown(
  wallet: string,
  { reputation, checked, outcomes, disputes }: ShownRecords,
  ledger: GroupedLedger,
  chain: SigningChain,
  now: Date,
): Promise<WalletComparison> {
  const differences = [
    ...compareScore(`score of ${wallet}`, wallet, reputation, ledger, now),
    ...compareScore(`check of ${wallet}`, wallet, checked.reputation, ledger, now),
    ...compareLimit(wallet, checked, ledger),
    ...compareOutcomes(wallet, outcomes, ledger),
    ...outcomes.flatMap((outcome) =>
      compareDispute(outcome, disputes.get(outcome.outcomeId), ledger),
    ),
    ...(await compareAgreements(outcomes, ledger, chain)),
    ...(await compareX402Receipts(outcomes, ledger, chain)),
  ];
  const hasLostReview = ({ outcomeId }: PublicOutcome) =>
    ledger.getDispute(outcomeId) !== undefined && !disputes.get(outcomeId)?.evidence;
  return {
    differences,
    lostEvidence: outcomes.filter(hasLostEvidence).length + outcomes.filter(hasLostReview).length,
  };
}

/**
 * Computes the score of a wallet, 0 to 100, as if there were no anchors.
 *
 * @param day UTC day, as in `scoreDay`.
 */
export function computeScoreWithoutAnchors(
  wallet: string,
  day: string,
  ledger: GroupedLedger,
): number {
  const log = ledger.getRecordsFor(wallet).map(({ record }) => record);
  const others = log.filter(({ type }) => type !== "anchor" && type !== "anchor-revoked");
  return toScoreRecord(computeScore(others, wallet, Date.parse(day) / 1000)).score;
}
