import { desc, eq } from "drizzle-orm";
import { BaseError, type Hex } from "viem";
import type { Sql } from "@/server/lib/context";
import type { Chain } from "./client";
import { chainAttempts, chainTransactions } from "./tables";

/**
 * Sends the stored bytes: the attempt that was mined once, else the dearest. Sending again what
 * the node or the chain has already is no failure; `too cheap` means that only a dearer attempt
 * will be taken. Throws where the node refuses for another reason or is silent.
 */
export async function broadcast(
  db: Sql,
  chain: Chain,
  transactionId: string,
): Promise<"sent" | "too cheap"> {
  const [row] = await db
    .select({ minedHash: chainTransactions.hash })
    .from(chainTransactions)
    .where(eq(chainTransactions.id, transactionId));
  const attempts = await attemptsOf(db, transactionId);
  const attempt = attempts.find(({ hash }) => hash === row?.minedHash) ?? attempts[0];
  if (!attempt) throw new Error(`There is no transaction ${transactionId}`);
  try {
    await chain.client.sendRawTransaction({ serializedTransaction: attempt.raw as Hex });
  } catch (error) {
    if (says(error, TOO_CHEAP)) return "too cheap";
    if (!says(error, ALREADY_THERE)) throw error;
  }
  return "sent";
}

/** Every signed form of a transaction, the dearest first. */
export function attemptsOf(db: Sql, transactionId: string) {
  return db
    .select()
    .from(chainAttempts)
    .where(eq(chainAttempts.transactionId, transactionId))
    .orderBy(desc(chainAttempts.maxFeePerGas));
}

// The words of geth, op-geth, reth, erigon, nethermind and anvil. "nonce too low" is among them:
// whether it is our transaction that took the nonce is for the receipts to say.
const ALREADY_THERE =
  /already known|already imported|known transaction|alreadyknown|already exists|nonce too low|nonce is too low|replacement transaction underpriced/i;

const TOO_CHEAP =
  /less than block base fee|lower than the (?:pool|block) base fee|(?<!replacement )transaction underpriced|fee ?(?:cap )?too low/i;

function says(error: unknown, words: RegExp): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    // viem's own message repeats the request; what the node said stands in `details`.
    if (words.test(at instanceof BaseError ? at.details : at.message)) return true;
  }
  return false;
}
