import type { Logger } from "pino";
import type { Hex } from "viem";
import type { Database, Transaction } from "@/server/lib/context";
import { broadcast } from "./broadcast";
import type { Chain } from "./client";
import { type Confirmation, confirmTransaction, waitForConfirmation } from "./confirm";
import { markFinal } from "./finality";
import { replaceTransaction } from "./replace";
import { resendMissing } from "./resend";
import { signTransaction, type TransactionRequest } from "./sign";
import { isSuperseded } from "./superseded";

/**
 * Sends each transaction exactly once, whatever dies when: `signTransaction` inside the caller's
 * database transaction, after it `broadcast`, then `waitForConfirmation`; `resendOpen` takes up
 * what was left lying between.
 */
export interface Sender {
  chain: Chain;
  /** Takes a nonce and stores the signed bytes in `tx`; see `sign.ts`. */
  signTransaction(
    tx: Transaction,
    request: TransactionRequest,
  ): Promise<{ transactionId: string; hash: Hex }>;
  /**
   * Sends the stored bytes, or a dearer attempt if they became too cheap; having been sent already
   * is no failure. Throws where the node refuses or is silent.
   */
  broadcast(transactionId: string): Promise<void>;
  /** Where it stands now. */
  confirmTransaction(transactionId: string): Promise<Confirmation>;
  /** Where it stands when it is no longer pending, or after `timeoutMs`. */
  waitForConfirmation(transactionId: string, limit: { timeoutMs: number }): Promise<Confirmation>;
  /** Whether another transaction has its nonce for good, so that it can never be mined. */
  isSuperseded(transactionId: string): Promise<boolean>;
  /** A dearer attempt at the same nonce; false when the fee is not what it waits for. */
  replaceTransaction(transactionId: string): Promise<boolean>;
  /**
   * Sends again what the chain lacks, replaces what is stuck, and marks what is final; at start
   * and at regular times. A node that is silent is logged, and is the next call's business.
   */
  resendOpen(): Promise<void>;
}

const STUCK_AFTER_MS = 60_000;

export function createSender(parts: { db: Database; chain: Chain; log: Logger }): Sender {
  const { db, chain, log } = parts;
  return {
    chain,
    signTransaction: (tx, request) => signTransaction(tx, chain, request),
    async broadcast(transactionId) {
      if ((await broadcast(db, chain, transactionId)) === "sent") return;
      await replaceTransaction(db, chain, transactionId);
    },
    confirmTransaction: (transactionId) => confirmTransaction(db, chain, transactionId),
    waitForConfirmation: (transactionId, limit) =>
      waitForConfirmation(db, chain, transactionId, limit),
    isSuperseded: (transactionId) => isSuperseded(db, chain, transactionId),
    replaceTransaction: (transactionId) => replaceTransaction(db, chain, transactionId),
    async resendOpen() {
      try {
        const sent = await resendMissing(parts, { stuckAfterMs: STUCK_AFTER_MS });
        const final = await markFinal(db, chain);
        if (sent > 0) log.info({ sent, final }, "sent again what the chain lacked");
      } catch (error) {
        log.warn({ err: error }, "the chain could not be brought up to date");
      }
    },
  };
}
