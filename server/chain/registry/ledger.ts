import type { LedgerEntry } from "@/server/chain/schema";

export type RecordType = LedgerEntry["type"];

/** A record of one kind. Only an anchor always has its `seq`, because its revocation names it. */
export type RecordOf<T extends RecordType> = T extends "anchor"
  ? Omit<Extract<LedgerEntry, { type: T }>, "txHash" | "logIndex">
  : Omit<Extract<LedgerEntry, { type: T }>, "seq" | "txHash" | "logIndex"> & { seq?: number };

export type OutcomeRecord = RecordOf<"outcome">;
export type DisputeRecord = RecordOf<"dispute">;
export type AnchorRecord = RecordOf<"anchor">;

/**
 * A record of the public ledger, as `VerdictRegistry` stores it and the score reads it. Times are
 * unix seconds, amounts are millionths of a USDC; `seq` counts all records from 1, without gaps.
 */
export type LedgerRecord = RecordOf<RecordType>;

/** A record that has no position on chain yet. */
export type NewRecord<T extends RecordType = RecordType> = T extends "anchor"
  ? Omit<AnchorRecord, "seq">
  : RecordOf<T>;

/**
 * Position of a record on chain. `logIndex` counts the registry's records within the transaction
 * from 0; it does not change when a reorg moves the transaction to another block.
 */
export interface RecordPlace {
  seq: number;
  txHash: `0x${string}`;
  logIndex: number;
}
