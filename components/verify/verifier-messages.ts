import type { Verification } from "./verify-wallet";

/** What to verify; starts the worker. */
export interface VerifierRequest {
  wallet: string;
  registry: string;
  chainId: number;
  /** URL of the chain's node. */
  node: string;
  /** Origin of the service. */
  origin: string;
}

/** State of a check. The worker reports all but `cancelled`; `result` and `error` come last. */
export type VerifierReport =
  | { type: "progress"; blocks: number; allBlocks: number; records: number; allRecords: number }
  | { type: "result"; verification: Verification }
  | { type: "error"; message: string }
  | { type: "cancelled" };
