import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { fromMicro } from "@/server/lib/usdc";
import { runPlanned } from "./run-sql";
import type { AnchorEffects } from "./schema";
import { ANCHOR_BACKS } from "./wallet-outcomes";

/**
 * Returns what each anchor backs: the resolved outcomes that are anchored because of it. By the
 * `seq` of its record; anchors that back nothing, such as revoked ones, are omitted.
 */
export async function readAnchorEffects(db: Database, seqs: number[]): Promise<AnchorEffects> {
  if (seqs.length === 0) return [];
  const rows = await runPlanned<{
    seq: string | number;
    outcomes: number;
    agents: number;
    paid: string | bigint;
  }>(
    db,
    sql`select anchor.seq, count(*)::int as outcomes, count(distinct contractor)::int as agents,
        sum(paid_micro) as paid
      from anchors as anchor join outcomes on requester = anchor.wallet
      where anchor.seq in ${seqs} and status = 'RESOLVED' and ${ANCHOR_BACKS}
      group by anchor.seq order by anchor.seq`,
  );
  return rows.map(({ seq, outcomes, agents, paid }) => ({
    seq: Number(seq),
    outcomes,
    agents,
    paidUsdc: fromMicro(BigInt(paid)),
  }));
}
