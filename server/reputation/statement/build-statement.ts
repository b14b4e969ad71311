import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { RegistryState } from "@/server/chain/registry/read-registry";
import { TIERS } from "@/server/lib/schema";
import { computeScore } from "@/server/reputation/score/score";
import type { ScoreStatement } from "./schema";
import { POLICY_HASH } from "./typed-data";

/**
 * Computes the statement about `wallet` at a state of the ledger. Ignores the records after
 * `state.seq`; `records` must contain all others that the score depends on. A pure function, so a
 * verifier with the ledger gets the same statement.
 * @param issuedAt Unix seconds; the score is that of its UTC day.
 * @param expiresAt Unix seconds.
 */
export function buildStatement(
  records: readonly LedgerRecord[],
  {
    wallet,
    state,
    issuedAt,
    expiresAt,
  }: { wallet: string; state: RegistryState; issuedAt: number; expiresAt: number },
): ScoreStatement {
  const included = records.filter(({ seq }) => seq !== undefined && seq <= state.seq);
  const { scoreE4, tier, totalOutcomes } = computeScore(included, wallet, issuedAt);
  return {
    wallet,
    scoreCenti: Math.floor(scoreE4 / 100),
    tier: TIERS.indexOf(tier),
    outcomes: totalOutcomes,
    policy: POLICY_HASH,
    seq: state.seq,
    head: state.head,
    issuedAt,
    expiresAt,
  };
}
