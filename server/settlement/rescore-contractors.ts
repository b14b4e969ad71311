import { sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { ledgerRecords, reputationHistory } from "@/server/reputation/tables";
import { updateReputation } from "@/server/reputation/update";

/** Small, so that the locks of one batch are held briefly. */
const BATCH = 50;
/** Leaves time for the rest of a sweep; the next one continues. */
const ENOUGH_MS = 20_000;

/** There are more contractors than one call can rescore. */
export class RescoreUnfinished extends Error {
  override name = "RescoreUnfinished";
}

interface Affected {
  requester: string;
  /** Range of the anchor: it affects outcomes resolved at `from <= t < until`. */
  from: Date;
  until: Date | null;
  /** `seq` of the record that changes the scores. */
  seq: number;
  now: Date;
}

/**
 * Updates the score of every contractor that the anchor affects, in ascending order of wallets,
 * and publishes the changes. Contractors with a history entry for this record are skipped, so it
 * is safe to repeat or to run concurrently. Throws `RescoreUnfinished` if time runs out.
 */
export async function rescoreContractors(core: Core, affected: Affected): Promise<void> {
  const end = Date.now() + ENOUGH_MS;
  for (let after = ""; ; ) {
    const wallets = await rescoreBatch(core, affected, after);
    const last = wallets.at(-1);
    if (last === undefined || wallets.length < BATCH) return;
    after = last;
    if (Date.now() > end) throw new RescoreUnfinished(`record ${affected.seq}: more to rescore`);
  }
}

function rescoreBatch(core: Core, affected: Affected, after: string): Promise<string[]> {
  const { seq, now } = affected;
  return core.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`rescore:${seq}`}, 0))`);
    const rows = await tx.execute<{ contractor: string }>(waitingContractors(affected, after));
    const wallets = rows.map(({ contractor }) => contractor);
    for (const wallet of wallets) {
      const { event } = await updateReputation(tx, { wallet, cause: "anchor", seq, now });
      if (event) await core.publish(tx, [event]);
    }
    return wallets;
  });
}

function waitingContractors({ requester, from, until, seq }: Affected, after: string) {
  const resolvedAt = sql`(record->>'resolvedAt')::bigint`;
  return sql`
    select distinct contractor from ${ledgerRecords} as outcome
    where wallet = ${requester} and type = 'outcome' and contractor > ${after}
      and ${resolvedAt} >= ${from.getTime() / 1000}::bigint
      ${until ? sql`and ${resolvedAt} < ${until.getTime() / 1000}::bigint` : sql``}
      and not exists (
        select from ${reputationHistory} as line
        where line.wallet = outcome.contractor and line.seq = ${seq}
      )
    order by contractor limit ${BATCH}`;
}
