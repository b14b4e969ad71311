import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { Database } from "@/server/lib/context";
import { fromMicro } from "@/server/lib/usdc";
import { readOutcomeChanges } from "@/server/reputation/history";
import { NEXT_TIER_LIMITS } from "@/server/reputation/policy";
import { readLedger } from "@/server/reputation/queries";
import { toPublishedScore } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { anchors } from "@/server/reputation/tables";
import { runPlanned } from "./run-sql";
import type { AnchorEffects, Backing, KnownClient, OutcomeEffects, Revocations } from "./schema";
import { ANCHOR_BACKS, BACKING } from "./wallet-outcomes";

/**
 * Returns what backs an outcome and how it changed the score; null if it doesn't exist. Reads the
 * contractor's ledger only while a dispute could overturn the outcome, since open pages ask often. What
 * code decided under an agreement is only decided again.
 */
export async function readOutcomeEffects(
  db: Database,
  outcomeId: string,
  { now, disputeWindowMs }: { now: Date; disputeWindowMs: number },
): Promise<OutcomeEffects | null> {
  const since = new Date(now.getTime() - disputeWindowMs).toISOString();
  const [outcome] = await runPlanned<{
    contractor: string;
    backing: Backing;
    deliveryPaymentTxHash: string | null;
    isDisputable: boolean;
  }>(
    db,
    sql`select contractor, ${BACKING} as backing, (
          select delivery_payment_tx_hash from agreements where agreements.id = agreement_id
        ) as "deliveryPaymentTxHash",
        resolved_at > ${since} and (not agreed or judge_kind = 'llm')
        and not exists (select from disputes where outcome_id = outcomes.id)
        and not exists (
          select from reputations
          where wallet = contractor and total_outcomes > ${NEXT_TIER_LIMITS.outcomes}
        ) as "isDisputable"
      from outcomes where id = ${outcomeId}`,
  );
  if (!outcome) return null;
  const { contractor, isDisputable, ...shown } = outcome;
  const [changes, log] = await Promise.all([
    readOutcomeChanges(db, contractor, outcomeId),
    isDisputable ? readLedger(db, contractor) : [],
  ]);
  const ifOverturned = computeIfOverturned(log, { contractor, outcomeId, now });
  return { ...shown, changes, ifOverturned };
}

/** Computes the contractor's score of `now` with and without a dispute that overturns the verdict. */
function computeIfOverturned(
  log: LedgerRecord[],
  { contractor, outcomeId, now }: { contractor: string; outcomeId: string; now: Date },
): number | null {
  const outcome = log.find((record) => record.type === "outcome" && record.id === outcomeId);
  const isDecided = log.some(
    (record) => record.type === "dispute" && record.outcomeId === outcomeId,
  );
  if (outcome?.type !== "outcome" || isDecided) return null;
  const resolvedAt = now.getTime() / 1000;
  const overturning: LedgerRecord = {
    type: "dispute",
    outcomeId,
    verdict: outcome.verdict === "SUCCESS" ? "REQUESTER_WINS" : "CONTRACTOR_WINS",
    assessed: true,
    resolvedAt,
  };
  const [before, after] = [log, [...log, overturning]].map((records) =>
    toPublishedScore(computeScore(records, contractor, resolvedAt).scoreE4),
  ) as [number, number];
  return after - before;
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

/** Returns when the operator revoked each of these anchors that is revoked on chain. */
export async function readRevocations(db: Database, seqs: number[]): Promise<Revocations> {
  const rows = await db
    .select({ seq: anchors.seq, at: anchors.revokeAskedAt })
    .from(anchors)
    .where(and(inArray(anchors.seq, seqs), isNotNull(anchors.revokedSeq)));
  return rows.flatMap(({ seq, at }) => (seq && at ? [{ seq, at: at.toISOString() }] : []));
}

/** Returns the latest recorded listing of a wallet as a known client; null if it never was one. */
export async function readKnownClient(
  db: Database,
  wallet: string,
  now: Date,
): Promise<KnownClient | null> {
  const [anchor] = await db
    .select()
    .from(anchors)
    .where(and(eq(anchors.wallet, wallet), isNotNull(anchors.seq)))
    .orderBy(desc(anchors.seq))
    .limit(1);
  if (!anchor) return null;
  const { from, until, reason, revokedSeq, revokeAskedAt } = anchor;
  const end = revokedSeq === null ? until : (revokeAskedAt ?? from);
  const endedAt = end && end <= now ? end.toISOString() : null;
  return { from: from.toISOString(), endedAt, reason };
}
