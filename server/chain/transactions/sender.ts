import type { Logger } from "pino";
import type { Chain } from "@/server/chain/client";
import type { Database, Transaction } from "@/server/lib/context";
import { broadcast } from "./broadcast";
import { confirmTransaction, waitForConfirmation } from "./confirm";
import { isNonceTaken, markDropped, markFinal } from "./finality";
import { replaceTransaction, resendMissing } from "./resend";
import { fetchQuote, type Quote, signTransaction, type TransactionRequest } from "./sign";

const STUCK_AFTER_MS = 60_000;

/**
 * Sends each transaction exactly once, even across crashes. Call `signTransaction` inside the
 * caller's database transaction, then `broadcast`, then `waitForConfirmation`; `resendOpen`
 * resumes what was interrupted in between.
 */
export type Sender = ReturnType<typeof createSender>;

export function createSender(options: { db: Database; chain: Chain; log: Logger }) {
  const { db, chain, log } = options;
  return {
    chain,
    /** Asks the node for fees and nonce; see `signTransaction`. */
    fetchQuote: (signer: TransactionRequest["signer"]) => fetchQuote(chain, signer),
    /** Allocates a nonce and stores the signed bytes in `tx`; see `sign.ts`. */
    signTransaction: (tx: Transaction, request: TransactionRequest, quote?: Promise<Quote>) =>
      signTransaction(tx, chain, request, quote),
    /**
     * Sends the stored bytes, or an attempt with higher fees if they became too cheap. Sending
     * again is not an error. Throws if the node is unreachable or refuses.
     */
    async broadcast(transactionId: string): Promise<void> {
      if ((await broadcast(db, chain, transactionId)) === "sent") return;
      await replaceTransaction(db, chain, transactionId);
    },
    /** Returns its current state. */
    confirmTransaction: (transactionId: string) => confirmTransaction(db, chain, transactionId),
    /** Resolves to its state once it is no longer pending, or after `timeoutMs`. */
    waitForConfirmation: (transactionId: string, limit: { timeoutMs: number }) =>
      waitForConfirmation(db, chain, transactionId, limit),
    /** Checks if another transaction has its nonce for good, so that it can never be mined. */
    isNonceTaken: (transactionId: string) => isNonceTaken(db, chain, transactionId),
    /**
     * Adds an attempt with higher fees at the same nonce. Returns false if the fee is not the
     * cause.
     */
    replaceTransaction: (transactionId: string) => replaceTransaction(db, chain, transactionId),
    /**
     * Broadcasts what the chain lacks, replaces stuck transactions and marks final and dropped ones. Runs at
     * start and periodically. Logs a failure, such as an unreachable node, and leaves it to the
     * next call.
     */
    async resendOpen(): Promise<void> {
      try {
        const sent = await resendMissing(options, { stuckAfterMs: STUCK_AFTER_MS });
        const final = await markFinal(db, chain);
        await markDropped(db, chain);
        if (sent > 0) log.info({ sent, final }, "resent transactions that the chain lacked");
      } catch (error) {
        log.warn({ err: error }, "resending or finalizing transactions failed");
      }
    },
  };
}
