import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import {
  reviewDueAt,
  UNREVIEWED_STALLED_MS,
  whereUnreviewed,
} from "@/server/disputes/pending-disputes";
import { disputes, payouts } from "@/server/disputes/tables";
import { selectFailedRuns, selectOverdueJobs } from "@/server/engine/retry";
import { whereFeedbackUnfinished } from "@/server/feedback/functions/give-feedback";
import { givenFeedback } from "@/server/feedback/tables";
import type { Database } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import {
  FAULTY_MS,
  UNJUDGED_STALLED_MS,
  whereFaulty,
  whereUnjudged,
} from "@/server/outcomes/pending-outcomes";
import { outcomes } from "@/server/outcomes/tables";
import { wherePayoutUnfinished } from "@/server/payouts/functions/pay-stalled-payouts";
import { whereStakeNotFinal } from "@/server/payouts/functions/watch-stakes";
import { reputations } from "@/server/reputation/tables";
import { whereRecordAwaitsEscrow } from "@/server/settlement/kinds/outcome";
import { RECORD_KINDS } from "@/server/settlement/record-kinds";
import { UNSETTLED_STALLED_MS, whereUnsettled } from "@/server/settlement/settle-transaction";
import { recordings } from "@/server/settlement/tables";
import {
  DELIVERY_STALLED_MS,
  whereUnattempted,
} from "@/server/webhooks/functions/resume-stalled-deliveries";
import { webhookDeliveries, webhooks } from "@/server/webhooks/tables";

/** Base takes about twenty minutes to finalize. */
const FINAL_WITHIN_MS = 60 * MINUTE_MS;
/** The refresh begins five minutes after midnight, or an hour later if no instance was up. */
const REFRESHED_WITHIN_MS = 90 * MINUTE_MS;

interface Kind {
  /** One phrase for operators. */
  description: string;
  /** Name of the function that requeues it. */
  requeuedBy: string;
  /** Work that has been pending for longer counts as stalled. */
  stalledAfterMs: number;
  /** Selects the pending work with that function's own condition: rows of `id` and `since`. */
  select(now: Date): SQL;
}

/** Every kind of work that can stall, in the order of an outcome's pipeline. */
export const STALLED_KINDS = {
  outcomes: {
    description: "outcomes without a verdict",
    requeuedBy: "resume-stalled-outcomes",
    stalledAfterMs: UNJUDGED_STALLED_MS,
    select: () => selectPending(outcomes, outcomes.submittedAt, whereUnjudged),
  },
  faults: {
    description: "outcomes that a fault of the service kept from being judged",
    requeuedBy: "none: after the repair, judge them again with `retry faults`",
    stalledAfterMs: FAULTY_MS,
    select: () => selectPending(outcomes, outcomes.faultedAt, whereFaulty),
  },
  records: {
    description:
      "verdicts, refunds, superseded marks, takeovers and anchors without a signed record",
    requeuedBy: "settle-stalled-records",
    stalledAfterMs: 2 * MINUTE_MS,
    select: () => {
      const kinds = Object.values(RECORD_KINDS).map(({ pending: { table, since, where } }) =>
        selectPending(table, since, where),
      );
      return sql.join(kinds, sql` union all `);
    },
  },
  escrows: {
    description:
      "verdicts whose record waits for the job of their escrow, an hour if nothing was submitted",
    requeuedBy: "evaluate-escrows",
    stalledAfterMs: 61 * MINUTE_MS,
    select: () => selectPending(outcomes, outcomes.judgedAt, whereRecordAwaitsEscrow),
  },
  transactions: {
    description: "signed transactions that are not in a block",
    requeuedBy: "settle-stalled-records, which resends them with higher fees",
    stalledAfterMs: 5 * MINUTE_MS,
    select: () =>
      selectPending(
        chainTransactions,
        chainTransactions.createdAt,
        eq(chainTransactions.status, "signed"),
      ),
  },
  settlements: {
    description: "signed records that are not settled",
    requeuedBy: "settle-stalled-records",
    stalledAfterMs: UNSETTLED_STALLED_MS,
    select: () => selectPending(recordings, recordings.createdAt, whereUnsettled),
  },
  disputes: {
    description: "disputes whose review is overdue",
    requeuedBy: "resume-stalled-disputes",
    stalledAfterMs: UNREVIEWED_STALLED_MS,
    select: () => selectPending(disputes, reviewDueAt, whereUnreviewed),
  },
  stakes: {
    description: "stakes that are not final",
    requeuedBy: "watch-stakes",
    stalledAfterMs: FINAL_WITHIN_MS,
    select: () => selectPending(usedTransfers, usedTransfers.usedAt, whereStakeNotFinal),
  },
  payouts: {
    description: "unfinished payouts",
    requeuedBy: "pay-stalled-payouts",
    stalledAfterMs: FINAL_WITHIN_MS,
    select: () => sql`
      select ${payouts.id}::text as id, ${payouts.createdAt} as since from ${payouts}
      left join ${chainTransactions} on ${chainTransactions.id} = ${payouts.transactionId}
      where ${wherePayoutUnfinished}`,
  },
  feedback: {
    description: "ERC-8004 feedback that is not given or revoked yet",
    requeuedBy: "give-feedback",
    stalledAfterMs: FINAL_WITHIN_MS,
    select: () => selectPending(givenFeedback, givenFeedback.dueSince, whereFeedbackUnfinished),
  },
  deliveries: {
    description: "webhook deliveries that are due and not attempted",
    requeuedBy: "resume-stalled-deliveries",
    stalledAfterMs: DELIVERY_STALLED_MS,
    select: (now) =>
      selectPending(
        webhookDeliveries,
        webhookDeliveries.nextAttemptAt,
        and(whereUnattempted(now), isNotNull(webhookDeliveries.nextAttemptAt)),
      ),
  },
  webhooks: {
    description: "webhooks that were disabled because their receivers failed or returned 410",
    requeuedBy: "none: their owners create them again",
    stalledAfterMs: 0,
    select: () =>
      selectPending(
        webhooks,
        sql`coalesce(${webhooks.failingSince}, ${webhooks.createdAt})`,
        eq(webhooks.status, "disabled"),
      ),
  },
  scores: {
    description: "UTC days of which scores are stored that the daily refresh has not reached",
    requeuedBy: "refresh-scores, five minutes after every hour",
    stalledAfterMs: REFRESHED_WITHIN_MS,
    // The oldest day alone is a lookup; counting a million scores every few seconds would not be.
    select: () => sql`
      select min(score_day)::text as id, (min(score_day) + 1)::timestamp at time zone 'UTC' as since
      from ${reputations}`,
  },
  runs: {
    description: "runs of the embedded engine that failed permanently",
    requeuedBy:
      "the functions above requeue the work of most; restart the others with `retry runs`",
    stalledAfterMs: 0,
    select: () => selectFailedRuns,
  },
  jobs: {
    description: "jobs of the engine that are due and not picked up",
    requeuedBy: "the engine itself, every second",
    stalledAfterMs: 2 * MINUTE_MS,
    select: () => selectOverdueJobs,
  },
} as const satisfies Record<string, Kind>;

export type StalledKind = keyof typeof STALLED_KINDS;
export const STALLED_NAMES = Object.keys(STALLED_KINDS) as StalledKind[];

export interface Stalled {
  kind: StalledKind;
  /** Number of pending items, including the stalled ones. */
  waiting: number;
  /** Number of items that have waited longer than `stalledAfterMs`. */
  stalled: number;
  /** Age of the oldest pending item; null if there is none. */
  oldestSeconds: number | null;
  /** Some of the stalled ids, oldest first. */
  ids: string[];
}

/** Returns pending and stalled work by kind, selected by the same conditions as those functions. */
export function readStalled(db: Database, now: Date): Promise<Stalled[]> {
  return Promise.all(STALLED_NAMES.map((kind) => readKind(db, kind, now)));
}

async function readKind(db: Database, kind: StalledKind, now: Date): Promise<Stalled> {
  const { select, stalledAfterMs }: Kind = STALLED_KINDS[kind];
  const at = now.toISOString();
  const [row] = await db.execute<{
    waiting: number;
    stalled: number;
    oldest: number | null;
    ids: string[];
  }>(sql`
    with waiting as (${select(now)}), due as (
      select id, since from waiting where since <= ${at}::timestamptz
    ), stalled as (
      select id, since from due
      where since <= ${at}::timestamptz - ${stalledAfterMs}::float8 * interval '1 millisecond'
    )
    select (select count(*)::int from due) as waiting, (select count(*)::int from stalled) as stalled,
      (select extract(epoch from ${at}::timestamptz - min(since))::float8 from due) as oldest,
      array(select id from stalled order by since limit 3) as ids`);
  if (!row) throw new Error(`cannot count the stalled ${kind}`);
  const { oldest, ...counts } = row;
  return { kind, ...counts, oldestSeconds: oldest };
}

function selectPending(
  table: PgTable & { id: PgColumn },
  since: PgColumn | SQL,
  where: SQL | undefined,
): SQL {
  return sql`select ${table.id}::text as id, ${since} as since from ${table} where ${where}`;
}
