import type { LedgerEntry } from "@/server/chain/schema";

type RecordOf<T extends LedgerEntry["type"]> = Omit<
  Extract<LedgerEntry, { type: T }>,
  "seq" | "txHash" | "logIndex"
> & { seq?: number };

export type OutcomeRecord = RecordOf<"outcome">;
export type DisputeRecord = RecordOf<"dispute">;
/** The contractor returned the requester's payment in full, so the outcome is void. */
export type RefundRecord = RecordOf<"refund">;
/** The payer submitted its own outcome for the payment of this one, so this one is void. */
export type SupersededRecord = RecordOf<"superseded">;
/** A requester that the operator trusts, for `from <= t < until`. */
export type AnchorRecord = RecordOf<"anchor"> & { seq: number };
export type AnchorRevokedRecord = RecordOf<"anchor-revoked">;
/** The owner of a wallet verified it, which ended its unverified registration. */
export type TakeoverRecord = RecordOf<"takeover">;

/**
 * A record of the public ledger, as `VerdictRegistry` stores it and the score reads it. Times are
 * unix seconds, amounts are millionths of a USDC; `seq` counts all records from 1, without gaps.
 */
export type LedgerRecord =
  | OutcomeRecord
  | DisputeRecord
  | RefundRecord
  | SupersededRecord
  | AnchorRecord
  | AnchorRevokedRecord
  | TakeoverRecord;

/**
 * Position of a record on chain. `logIndex` counts the registry's records within the transaction
 * from 0; it does not change when a reorg moves the transaction to another block.
 */
export interface RecordPlace {
  seq: number;
  txHash: `0x${string}`;
  logIndex: number;
}
