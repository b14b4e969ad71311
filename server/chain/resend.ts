import { and, asc, eq, gte, inArray } from "drizzle-orm";
import type { Logger } from "pino";
import type { Address } from "viem";
import type { Database } from "@/server/lib/context";
import { attemptsOf, broadcast } from "./broadcast";
import type { Chain } from "./client";
import { replaceTransaction } from "./replace";
import { chainTransactions } from "./tables";

interface Parts {
  db: Database;
  chain: Chain;
  log: Logger;
}

/**
 * Broadcasts, in nonce order and byte for byte, every signed transaction that the chain lacks:
 * never sent, dropped, reorged away, or lost with a local chain's state (then even final ones).
 * Replaces the first one, which blocks the others, if it is too cheap for the node or has waited
 * longer than `stuckAfterMs`. Returns the number sent. Throws if the node is unreachable or
 * refuses.
 */
export async function resendMissing(
  { db, chain, log }: Parts,
  { stuckAfterMs }: { stuckAfterMs: number },
): Promise<number> {
  let sent = 0;
  for (const signer of await signers(db, chain)) {
    const next = await chain.client.getTransactionCount({ address: signer, blockTag: "latest" });
    const missing = await db
      .select({ id: chainTransactions.id, nonce: chainTransactions.nonce })
      .from(chainTransactions)
      .where(
        and(
          eq(chainTransactions.chainId, chain.id),
          eq(chainTransactions.signer, signer),
          gte(chainTransactions.nonce, next),
        ),
      )
      .orderBy(asc(chainTransactions.nonce));
    for (const { id, nonce } of missing) {
      const tooCheap = (await broadcast(db, chain, id)) === "too cheap";
      sent++;
      // Only the first one blocks the others; each gets its turn as the first.
      if (nonce !== next || !(tooCheap || (await waitsLongerThan(db, id, stuckAfterMs)))) continue;
      if (await replaceTransaction(db, chain, id)) {
        log.warn({ transactionId: id, nonce }, "a transaction is not mined: sent again, dearer");
      }
    }
  }
  return sent;
}

async function waitsLongerThan(db: Database, id: string, ms: number): Promise<boolean> {
  const [newest] = await attemptsOf(db, id);
  return newest !== undefined && Date.now() - newest.createdAt.getTime() > ms;
}

/**
 * Returns the signers with open transactions and the current ones, whose final transactions a
 * chain may have lost.
 */
async function signers(db: Database, chain: Chain): Promise<Set<Address>> {
  const open = await db
    .selectDistinct({ signer: chainTransactions.signer })
    .from(chainTransactions)
    .where(
      and(
        inArray(chainTransactions.status, ["signed", "confirmed"]),
        eq(chainTransactions.chainId, chain.id),
      ),
    );
  return new Set([
    chain.recorder.address,
    chain.stake.address,
    ...open.map(({ signer }) => signer as Address),
  ]);
}
