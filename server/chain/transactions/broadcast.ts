import { desc, eq, sql } from "drizzle-orm";
import { BaseError, type Hex } from "viem";
import type { Chain } from "@/server/chain/client";
import { chainAttempts, chainTransactions } from "@/server/chain/tables";
import { prepareOnce, type Sql } from "@/server/lib/database";

/**
 * Sends the stored bytes of a transaction: the attempt that was mined before, else the one with
 * the highest fee. Bytes that the node or the chain already has are not an error. Returns `too
 * cheap` if the node requires a higher fee. Throws if the node is unreachable or refuses for
 * another reason.
 */
export async function broadcast(
  db: Sql,
  chain: Chain,
  transactionId: string,
): Promise<"sent" | "too cheap"> {
  const attempts = await getBytesQuery(db).execute({ transactionId });
  const attempt = attempts.find(({ hash, minedHash }) => hash === minedHash) ?? attempts[0];
  if (!attempt) throw new Error(`There is no transaction ${transactionId}`);
  try {
    await chain.client.sendRawTransaction({ serializedTransaction: attempt.raw as Hex });
  } catch (error) {
    if (hasMessage(error, TOO_CHEAP)) return "too cheap";
    if (!hasMessage(error, ALREADY_KNOWN)) throw error;
  }
  return "sent";
}

const getBytesQuery = prepareOnce((db: Sql) =>
  db
    .select({ hash: chainAttempts.hash, raw: chainAttempts.raw, minedHash: chainTransactions.hash })
    .from(chainAttempts)
    .innerJoin(chainTransactions, eq(chainTransactions.id, chainAttempts.transactionId))
    .where(eq(chainAttempts.transactionId, sql.placeholder("transactionId")))
    .orderBy(desc(chainAttempts.maxFeePerGas))
    .prepare("bytes_to_send"),
);

/** Returns all signed attempts of a transaction, highest fee first. */
export const findAttempts = (db: Sql, transactionId: string) =>
  getAttemptsQuery(db).execute({ transactionId });

const getAttemptsQuery = prepareOnce((db: Sql) =>
  db
    .select()
    .from(chainAttempts)
    .where(eq(chainAttempts.transactionId, sql.placeholder("transactionId")))
    .orderBy(desc(chainAttempts.maxFeePerGas))
    .prepare("attempts_of_transaction"),
);

// Error messages of geth, op-geth, reth, erigon, nethermind and anvil. "nonce too low" is
// included: only a receipt proves which transaction used the nonce.
const ALREADY_KNOWN =
  /already known|already imported|known transaction|alreadyknown|already exists|nonce too low|nonce is too low|replacement transaction underpriced/i;

const TOO_CHEAP =
  /less than block base fee|lower than the (?:pool|block) base fee|(?<!replacement )transaction underpriced|fee ?(?:cap )?too low/i;

function hasMessage(error: unknown, pattern: RegExp): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    // viem's own message repeats the request; the node's message is in `details`.
    if (pattern.test(at instanceof BaseError ? at.details : at.message)) return true;
  }
  return false;
}
