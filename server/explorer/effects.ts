import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { fromMicro } from "@/server/lib/usdc";
import { readOutcomeChanges } from "@/server/reputation/history";
import { runPlanned, runPrepared } from "./run-sql";
import type { AnchorEffects, Backing, OutcomeEffects } from "./schema";
import { ANCHOR_BACKS, BACKING } from "./wallet-outcomes";

/** Returns what backs an outcome and how it changed the score; null if it doesn't exist. */
export async function readOutcomeEffects(
  db: Database,
  outcomeId: string,
): Promise<OutcomeEffects | null> {
  const [outcome] = await runPrepared<{ contractor: string; backing: Backing }>(
    db,
    sql`select contractor, ${BACKING} as backing from outcomes where id = ${outcomeId}`,
  );
  if (!outcome) return null;
  const changes = await readOutcomeChanges(db, outcome.contractor, outcomeId);
  return { backing: outcome.backing, changes };
}

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
