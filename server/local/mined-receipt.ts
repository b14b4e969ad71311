import { setTimeout as pause } from "node:timers/promises";
import {
  type Hex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";

const POLL_MS = 20;

/**
 * The receipt of a transaction, as soon as it is mined. viem's own waiting looks once for each new
 * block: where the node tells of a block a moment before its receipts, and makes no other one, it
 * waits for ever.
 */
export async function minedReceipt(
  client: Pick<PublicClient, "getTransactionReceipt">,
  hash: Hex,
): Promise<TransactionReceipt> {
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (receipt) return receipt;
    await pause(POLL_MS);
  }
}
