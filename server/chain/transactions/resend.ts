import { and, asc, eq, gte, inArray } from "drizzle-orm";
import type { Logger } from "pino";
import type { Address, Hex } from "viem";
import type { Chain } from "@/server/chain/client";
import { type chainAttempts, chainTransactions } from "@/server/chain/tables";
import type { Database } from "@/server/lib/context";
import { broadcast, findAttempts } from "./broadcast";
import { findBlock, findReceipt } from "./confirm";
import { addAttempt, computeReplacementFees, getMarketFees, listAccounts } from "./sign";

/**
 * Broadcasts, in nonce order and byte for byte, every signed transaction that the chain lacks:
 * never sent, dropped, reorged away, or lost with a local chain's state (then even final ones).
 * Replaces the first one, which blocks the others, if it is too cheap for the node or has waited
 * longer than `stuckAfterMs`. Returns the number sent. Throws if the node is unreachable or
 * refuses.
 */
export async function resendMissing(
  { db, chain, log }: { db: Database; chain: Chain; log: Logger },
  { stuckAfterMs }: { stuckAfterMs: number },
): Promise<number> {
  let sent = 0;
  for (const signer of await listSigners(db, chain)) {
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
        log.warn(
          { transactionId: id, nonce },
          "a transaction was not mined: resent it with higher fees",
        );
      }
    }
  }
  return sent;
}

async function waitsLongerThan(db: Database, id: string, ms: number): Promise<boolean> {
  const [newest] = await findAttempts(db, id);
  return newest !== undefined && Date.now() - newest.createdAt.getTime() > ms;
}

/**
 * Returns the signers with open transactions and the current ones, whose final transactions a
 * chain may have lost.
 */
async function listSigners(db: Database, chain: Chain): Promise<Set<Address>> {
  const isOpen = inArray(chainTransactions.status, ["signed", "confirmed"]);
  const open = await db
    .selectDistinct({ signer: chainTransactions.signer })
    .from(chainTransactions)
    .where(and(isOpen, eq(chainTransactions.chainId, chain.id)));
  const signers = open.map(({ signer }) => signer as Address);
  return new Set([...listAccounts(chain).map(({ address }) => address), ...signers]);
}

/**
 * Signs a stuck transaction again, at the same nonce with higher fees, and broadcasts it. All
 * attempts stay watched, since any of them may be mined. Returns whether a new attempt was made;
 * there is none if the fees are not the cause. A transaction that was mined before is normally
 * sent again as the same bytes, under its known hash: it is replaced only if a reorg dropped it
 * and the base fee exceeds the fees of all attempts.
 */
export async function replaceTransaction(
  db: Database,
  chain: Chain,
  transactionId: string,
): Promise<boolean> {
  const market = await getMarketFees(chain);
  const whereThis = eq(chainTransactions.id, transactionId);
  const replaced = await db.transaction(async (tx) => {
    const [row] = await tx.select().from(chainTransactions).where(whereThis).for("update");
    const attempts = await findAttempts(tx, transactionId);
    const [highest] = attempts;
    if (!row || !highest || row.status === "final") return false;
    if (row.status !== "signed" && !(await needsNewFees(chain, row, attempts))) return false;
    const fees = computeReplacementFees(highest, market);
    const account = listAccounts(chain).find(({ address }) => address === row.signer);
    // A key that was replaced cannot sign any more; its bytes are still sent.
    if (!fees || !account) return false;
    const { nonce, gas } = row;
    const call = { nonce, gas, to: row.to as Address, data: row.data as Hex };
    await addAttempt(tx, chain, account, transactionId, call, fees);
    // From here on the attempt with the highest fee is sent, until one is mined.
    await tx.update(chainTransactions).set({ hash: null }).where(whereThis);
    return true;
  });
  if (replaced) await broadcast(db, chain, transactionId);
  return replaced;
}

/**
 * Checks if another block replaced its block, no block contains it, and the base fee is too high
 * for it to be mined again. Returns false if the node lags or has pruned the block.
 */
async function needsNewFees(
  chain: Chain,
  { blockNumber, blockHash }: typeof chainTransactions.$inferSelect,
  attempts: (typeof chainAttempts.$inferSelect)[],
): Promise<boolean> {
  const { baseFeePerGas } = await chain.client.getBlock({ blockTag: "latest" });
  if (attempts.some(({ maxFeePerGas }) => maxFeePerGas >= (baseFeePerGas ?? 0n))) return false;
  const block = blockNumber === null ? null : await findBlock(chain, blockNumber);
  if (!block || block.hash === blockHash) return false;
  return (await findReceipt(chain, attempts)) === undefined;
}
