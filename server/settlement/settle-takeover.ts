import { and, eq, sql } from "drizzle-orm";
import type { TakeoverRecord } from "@/server/chain/registry/ledger";
import type { Core, Transaction } from "@/server/lib/context";
import { ledgerRecords } from "@/server/reputation/tables";
import { updateReputation } from "@/server/reputation/update";
import { insertLedgerRecords, lockRequesters, type Settlement } from "./insert-ledger-records";

/**
 * Settles a confirmed takeover: the submissions of the registration that it ended no longer count
 * in any score.
 */
export async function settleTakeover(
  core: Pick<Core, "publish">,
  tx: Transaction,
  { record, place, now }: Settlement<TakeoverRecord>,
): Promise<void> {
  // A concurrent settlement of this wallet's outcome either sees the record or is seen below.
  await lockRequesters.exclusive(tx, record.wallet);
  await insertLedgerRecords(tx, [{ record, place }]);
  for (const wallet of await findAffectedContractors(tx, record.wallet)) {
    const change = { wallet, cause: "takeover", seq: place.seq, now } as const;
    const { event } = await updateReputation(tx, change);
    if (event) await core.publish(tx, [event]);
  }
}

/** Returns the contractors in a fixed order, so that concurrent settlements cannot deadlock. */
async function findAffectedContractors(tx: Transaction, takenOver: string): Promise<string[]> {
  const { type, record, contractor, wallet } = ledgerRecords;
  const rows = await tx
    .selectDistinct({ contractor })
    .from(ledgerRecords)
    .where(
      and(
        eq(type, "outcome"),
        sql`(${contractor} = ${takenOver} or ${wallet} = ${takenOver})`,
        sql`${record}->>'proven' = 'false'`,
        sql`case ${record}->>'submittedBy' when 'contractor' then ${contractor} else ${wallet} end = ${takenOver}`,
      ),
    )
    .orderBy(contractor);
  return rows.flatMap((row) => row.contractor ?? []);
}
