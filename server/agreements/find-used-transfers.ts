import { sql } from "drizzle-orm";
import type { UsdcTransfer } from "@/server/chain/payments/transfers";
import type { ChainInfo, Database } from "@/server/lib/context";

/** Returns the key of a transfer. */
export const toTransferKey = ({ txHash, logIndex }: Pick<UsdcTransfer, "txHash" | "logIndex">) =>
  `${txHash}:${logIndex}`;

/**
 * Returns the keys of the transfers in these transactions that already count for something. The contractor's word
 * alone uses none up: it could make a client that paid look as if it had not.
 */
export async function findUsedTransfers(
  db: Database,
  { id }: Pick<ChainInfo, "id">,
  txHashes: string[],
): Promise<Set<string>> {
  const hashes = sql.param(txHashes);
  const rows = await db.execute<{ key: string }>(sql`
    select tx_hash || ':' || log_index as key from used_transfers
    where chain_id = ${id} and tx_hash = any(${hashes}::char(66)[]) and not exists (
      select from outcomes where payment_transfer_id = used_transfers.id
        and submitted_by = 'contractor' and not agreed
    )
    union all
    select delivery_payment_tx_hash || ':' || delivery_payment_log_index from agreements
    where delivery_payment_tx_hash = any(${hashes}::char(66)[])`);
  return new Set(rows.map(({ key }) => key));
}
