import {
  type AnyColumn,
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  not,
  notInArray,
  or,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { agents, takeovers } from "@/server/agents/tables";
import type { NewRecord } from "@/server/chain/registry/encode-records";
import { disputes } from "@/server/disputes/tables";
import { whereAwaitsEscrow } from "@/server/escrows/queries";
import type { Transaction } from "@/server/lib/context";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { anchors } from "@/server/reputation/tables";
import { recordings } from "./tables";

/** A record to sign, with its subject. */
export interface PendingRecord {
  subjectId: string;
  record: NewRecord;
}

/** Selects pending records: the oldest first, or in random order once the registry refused some. */
export interface Selection {
  limit: number;
  /** Subjects to leave out, since the registry refused them in an earlier round. */
  refused: string[];
  /** Outcomes or refunds whose transfer is deep enough in the chain. */
  confirmed: string[];
  /** Time in the records, in Unix seconds. */
  now: number;
}

type FindPending = (tx: Transaction, selection: Selection) => Promise<PendingRecord[]>;

/**
 * A confirmation takes seconds, so after a minute its own run has most likely died with the
 * process. Processing a transaction twice concurrently does no harm.
 */
export const UNSETTLED_STALLED_MS = 60_000;

/** Matches records that are signed, possibly on chain, and not settled. */
export const whereUnsettled = isNull(recordings.settledAt);

/** Matches if no transaction contains the record of `subject` yet. */
export const whereUnrecorded = (kind: NewRecord["type"], subject: AnyColumn) =>
  sql`not exists (select from ${recordings} where ${recordings.kind} = ${kind} and ${recordings.subjectId} = ${subject})`;

/**
 * Orders by age until the registry has refused some records, then randomly: the refused ones stay
 * the oldest and must not starve newer ones.
 */
const orderPending = (refused: string[], column: AnyColumn) =>
  refused.length === 0 ? asc(column) : sql`random()`;

const whereOutcomePending = and(
  eq(outcomes.status, "EVALUATING"),
  isNotNull(outcomes.judgedAt),
  whereUnrecorded("outcome", outcomes.id),
);

/** Matches judged outcomes without a record, once no escrow has to be decided before it. */
export const whereOutcomeUnrecorded = and(whereOutcomePending, not(whereAwaitsEscrow));

/** Matches judged outcomes whose record waits for the decision of an escrow. */
export const whereRecordAwaitsEscrow = and(whereOutcomePending, whereAwaitsEscrow);

/** The columns of an outcome that its record contains, without the texts. */
const RECORDED_COLUMNS = {
  id: outcomes.id,
  contractor: outcomes.contractor,
  requester: outcomes.requester,
  category: outcomes.taskCategory,
  valueMicro: outcomes.valueMicro,
  paidMicro: outcomes.paidMicro,
  submittedBy: outcomes.submittedBy,
  agreed: outcomes.agreed,
  verdict: outcomes.verdict,
  confPpm: outcomes.confidencePpm,
  evidenceHash: outcomes.evidenceHash,
};

/**
 * Finds judged outcomes without a record. `proven` is determined now: the submitter's own
 * registration must have verified the wallet, not one that took it over. An outcome with a payment
 * is included only if the payment is confirmed or counts as zero.
 */
export const findPendingOutcomes: FindPending = async (tx, { limit, refused, confirmed, now }) => {
  const rows = await tx
    .select({ outcome: RECORDED_COLUMNS, verifiedAt: agents.walletVerifiedAt })
    .from(outcomes)
    .leftJoin(agents, eq(agents.id, outcomes.submitterAgentId))
    .where(
      and(
        whereOutcomeUnrecorded,
        // One text for any number of ids, so that it stays prepared.
        sql`${outcomes.id} <> all(${sql.param(refused)}::uuid[])`,
        or(
          isNull(outcomes.paymentTransferId),
          eq(outcomes.paidMicro, 0n),
          sql`${outcomes.id} = any(${sql.param(confirmed)}::uuid[])`,
        ),
      ),
    )
    .orderBy(orderPending(refused, outcomes.judgedAt))
    .limit(limit)
    .prepare("pending_outcomes")
    .execute();
  return rows.flatMap(({ outcome, verifiedAt }): PendingRecord[] => {
    const { verdict, confPpm, valueMicro, paidMicro, evidenceHash, ...same } = outcome;
    if (verdict === null || confPpm === null) return [];
    const record: NewRecord = {
      type: "outcome",
      ...same,
      valueMicro: Number(valueMicro),
      paidMicro: Number(paidMicro),
      proven: verifiedAt !== null,
      verdict,
      confPpm,
      resolvedAt: now,
      evidenceHash: evidenceHash ?? undefined,
    };
    return [{ subjectId: same.id, record }];
  });
};

/** Matches judged disputes without a record. */
export const whereDisputeUnrecorded = and(
  eq(disputes.status, "OPEN"),
  isNotNull(disputes.judgedAt),
  whereUnrecorded("dispute", disputes.id),
);

/**
 * Finds judged disputes without a record. Their outcomes are already recorded, since only resolved
 * outcomes can be disputed.
 */
export const findPendingDisputes: FindPending = async (tx, { limit, refused, now }) => {
  const rows = await tx
    .select()
    .from(disputes)
    .where(and(whereDisputeUnrecorded, notInArray(disputes.id, refused)))
    .orderBy(orderPending(refused, disputes.judgedAt))
    .limit(limit);
  return rows.flatMap(({ id, outcomeId, verdict, assessed, evidenceHash }): PendingRecord[] => {
    if (verdict === null || assessed === null) return [];
    const decision = { outcomeId, verdict, assessed, evidenceHash: evidenceHash ?? undefined };
    return [{ subjectId: id, record: { type: "dispute", ...decision, resolvedAt: now } }];
  });
};

/** Matches accepted refunds without a record. */
export const whereRefundUnrecorded = and(
  isNull(refunds.refundedAt),
  whereUnrecorded("refund", refunds.id),
);

/** Finds accepted refunds without a record whose transfer is confirmed. */
export const findPendingRefunds: FindPending = async (tx, { limit, refused, confirmed, now }) => {
  const isSelected = and(inArray(refunds.id, confirmed), notInArray(refunds.id, refused));
  const rows = await tx
    .select()
    .from(refunds)
    .where(and(whereRefundUnrecorded, isSelected))
    .orderBy(orderPending(refused, refunds.acceptedAt))
    .limit(limit);
  return rows.map(({ id, outcomeId, txHash }) => ({
    subjectId: id,
    record: { type: "refund", outcomeId, at: now, paymentTx: txHash },
  }));
};

/** Matches superseded outcomes without a record of that. */
export const whereSupersededUnrecorded = and(
  isNotNull(outcomes.supersededBy),
  isNull(outcomes.supersededTx),
  whereUnrecorded("superseded", outcomes.id),
);

/** Finds superseded outcomes that have no record of that, once both outcomes are recorded. */
export const findPendingSuperseded: FindPending = async (tx, { limit, refused }) => {
  const payers = alias(outcomes, "payers");
  const rows = await tx
    .select({ id: outcomes.id, by: payers.id })
    .from(outcomes)
    .innerJoin(payers, eq(payers.id, outcomes.supersededBy))
    .where(
      and(
        whereSupersededUnrecorded,
        notInArray(outcomes.id, refused),
        eq(outcomes.status, "RESOLVED"),
        eq(payers.status, "RESOLVED"),
      ),
    )
    .orderBy(orderPending(refused, payers.resolvedAt))
    .limit(limit);
  return rows.map(({ id, by }) => ({
    subjectId: id,
    record: { type: "superseded", outcomeId: id, by },
  }));
};

/** Matches submissions of the registration that a takeover ended; none are added afterwards. */
const whereEndedByTakeover = and(
  isNull(outcomes.submitterAgentId),
  or(
    and(eq(outcomes.submittedBy, "contractor"), eq(outcomes.contractor, takeovers.wallet)),
    and(eq(outcomes.submittedBy, "requester"), eq(outcomes.requester, takeovers.wallet)),
  ),
);

/**
 * Clears `recordNeeded` of takeovers from registrations without submissions, which change no
 * score.
 */
export async function clearEmptyTakeovers(tx: Transaction): Promise<void> {
  await tx
    .update(takeovers)
    .set({ recordNeeded: false })
    .where(and(eq(takeovers.recordNeeded, true), not(hasSubmissions)));
}

const hasSubmissions = sql`exists (select from ${outcomes} where ${whereEndedByTakeover})`;

/** Matches takeovers without a record. */
export const whereTakeoverUnrecorded = and(
  eq(takeovers.recordNeeded, true),
  whereUnrecorded("takeover", takeovers.id),
);

/**
 * Finds takeovers without a record, once all submissions of the registration that they ended are
 * recorded. Their time is after the last of those records, since the score drops what resolved
 * before a takeover.
 */
export const findPendingTakeovers: FindPending = async (tx, { limit, refused, now }) => {
  const lastResolved = sql<
    number | null
  >`(select max(extract(epoch from ${outcomes.resolvedAt}))::float8 from ${outcomes} where ${whereEndedByTakeover})`;
  const isComplete = sql`not exists (select from ${outcomes} where ${eq(outcomes.status, "EVALUATING")} and ${whereEndedByTakeover})`;
  const rows = await tx
    .select({ id: takeovers.id, wallet: takeovers.wallet, lastResolved })
    .from(takeovers)
    // One that was stored after `clearEmptyTakeovers` looked may have no submissions.
    .where(
      and(whereTakeoverUnrecorded, notInArray(takeovers.id, refused), hasSubmissions, isComplete),
    )
    .orderBy(orderPending(refused, takeovers.at))
    .limit(limit);
  return rows.map(({ id, wallet, lastResolved }) => ({
    subjectId: id,
    record: { type: "takeover", wallet, at: Math.max(now, Math.floor(lastResolved ?? 0) + 1) },
  }));
};

/** Matches anchors without a record that were not revoked before they got one. */
export const whereAnchorUnrecorded = and(
  isNull(anchors.seq),
  isNull(anchors.revokeAskedAt),
  whereUnrecorded("anchor", anchors.id),
);

/** Finds anchors without a record. An anchor revoked before its record needs none. */
export const findPendingAnchors: FindPending = async (tx, { limit, refused }) => {
  const rows = await tx
    .select()
    .from(anchors)
    .where(and(whereAnchorUnrecorded, notInArray(anchors.id, refused)))
    .orderBy(orderPending(refused, anchors.createdAt))
    .limit(limit);
  const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000);
  return rows.map(({ id, wallet, from, until }) => ({
    subjectId: id,
    record: { type: "anchor", wallet, from: toSeconds(from), until: until && toSeconds(until) },
  }));
};

/** Matches recorded anchors that were revoked and whose revocation has no record yet. */
export const whereRevocationUnrecorded = and(
  isNotNull(anchors.seq),
  isNotNull(anchors.revokeAskedAt),
  isNull(anchors.revokedSeq),
  whereUnrecorded("anchor-revoked", anchors.id),
);

/** Finds revocations of recorded anchors that have no record, in the order of the requests. */
export const findPendingRevocations: FindPending = async (tx, { limit, refused }) => {
  const rows = await tx
    .select({ id: anchors.id, seq: anchors.seq })
    .from(anchors)
    .where(and(whereRevocationUnrecorded, notInArray(anchors.id, refused)))
    .orderBy(orderPending(refused, anchors.revokeAskedAt))
    .limit(limit);
  return rows.flatMap(({ id, seq }): PendingRecord[] =>
    seq === null ? [] : [{ subjectId: id, record: { type: "anchor-revoked", anchorSeq: seq } }],
  );
};

/** Returns the kinds of which there may be pending records, with one statement. */
export function findPendingKinds(tx: Transaction) {
  const kinds = sql`(
    select 'outcome' as kind where exists (select from ${outcomes} where ${whereOutcomeUnrecorded})
    union all
    select 'dispute' where exists (select from ${disputes} where ${whereDisputeUnrecorded})
    union all
    select 'refund' where exists (select from ${refunds} where ${whereRefundUnrecorded})
    union all
    select 'superseded' where exists (select from ${outcomes} where ${whereSupersededUnrecorded})
    union all
    select 'takeover' where exists (select from ${takeovers} where ${whereTakeoverUnrecorded})
    union all
    select 'anchor' where exists (select from ${anchors} where ${whereAnchorUnrecorded})
    union all
    select 'anchor-revoked' where exists (select from ${anchors} where ${whereRevocationUnrecorded})
  ) as pending`;
  return tx.select({ kind: sql<NewRecord["type"]>`kind` }).from(kinds).prepare("pending_kinds");
}
