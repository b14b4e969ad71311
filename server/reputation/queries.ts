import { asc, count, desc, eq, gte, isNotNull, sql } from "drizzle-orm";
import type postgres from "postgres";
import { agents } from "@/server/agents/tables";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { LedgerEntry } from "@/server/chain/schema";
import { array } from "@/server/db/arrays";
import type { Sql } from "@/server/lib/context";
import { createPage } from "@/server/lib/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { AnchorsPage } from "./schema";
import { collectFacts } from "./score/ledger-facts";
import { computeCountsFrom } from "./score/weigh-outcome";
import { anchors, ledgerRecords, reputationHistory } from "./tables";

/**
 * Returns every record of the ledger that the score of `wallet` can depend on: its outcomes as
 * contractor, their disputes and refunds, the anchors of their requesters with the revocations, and
 * takeovers of the wallets that could have submitted them. In no particular order.
 */
export function readLedger(db: Sql, wallet: string): Promise<LedgerRecord[]> {
  return readWithRelated(db, db.sql`contractor = ${wallet}::char(42)`);
}

/** Returns the records of some outcomes, and every record that their weights can depend on. */
export function readOutcomeRecords(db: Sql, outcomeIds: string[]): Promise<LedgerRecord[]> {
  return readWithRelated(
    db,
    db.sql`outcome_id = any(${array(db.sql, "uuid", outcomeIds)}) and type = 'outcome'`,
  );
}

/**
 * Returns the ledger of `wallet` like `readLedger`, without the outcomes `excluded` by `seq`, as a JSON
 * array: a long ledger is parsed in a worker thread.
 */
export async function readLedgerText(
  db: Sql,
  wallet: string,
  excluded: number[] = [],
): Promise<string> {
  const { sql } = db;
  const whereOwn = sql`contractor = ${wallet}::char(42)
    and seq <> all(${array(sql, "bigint", excluded)})`;
  const [row] = await sql<{ records: string }[]>`
    select coalesce(json_agg(record)::text, '[]') as records
    from (${selectWithRelated(sql, whereOwn)}) as ledger`;
  return row?.records ?? "[]";
}

async function readWithRelated({ sql }: Sql, whereOwn: postgres.Fragment): Promise<LedgerRecord[]> {
  const rows = await selectWithRelated(sql, whereOwn);
  return rows.map(({ record }) => record);
}

/**
 * Selects the outcomes that `whereOwn` describes, and all records that their weights can depend on. Only
 * outcomes have a contractor; with their type as well, PostgreSQL may choose the index by type, which
 * finds nearly all records.
 */
function selectWithRelated(sql: postgres.ISql, whereOwn: postgres.Fragment) {
  return sql<{ record: LedgerRecord }[]>`
    with own as materialized (
      select record, outcome_id, wallet as requester, contractor from ledger_records
      where ${whereOwn}
    ), anchors as materialized (
      select seq, record from ledger_records
      where type = 'anchor' and wallet in (select requester from own)
    )
    select record from own
    union all
    select record from ledger_records
    where type in ('dispute', 'refund', 'superseded') and outcome_id in (select outcome_id from own)
    union all
    select record from anchors
    union all
    select record from ledger_records
    where type = 'anchor-revoked' and (record->>'anchorSeq')::bigint in (select seq from anchors)
    union all
    select record from ledger_records
    where type = 'takeover'
      and wallet in (select requester from own union select contractor from own)
  `;
}

/**
 * Condition for announced entries of the history: the first, those of days, and any that moved the
 * published score.
 */
export const whereAnnounced = sql`(
  ${reputationHistory.version} = 1 or ${reputationHistory.cause} = 'day'
  or ${reputationHistory.scoreE4} / 100 <> ${reputationHistory.previousScoreE4} / 100
)`;

/** Page size, about a quarter of a megabyte. */
const PAGE = 500;

/**
 * Streams the ledger from `fromSeq` on, in order of `seq`, page by page. Between two pages it holds
 * no connection or cursor, however long the reader takes. Ends before the first unsettled record,
 * even if later ones are settled, so a reader that continues after the last record misses none.
 */
export async function* streamLedger(db: Sql, fromSeq: number): AsyncGenerator<LedgerEntry[]> {
  for (let next = fromSeq; ; ) {
    const rows = await db
      .select({
        seq: ledgerRecords.seq,
        record: ledgerRecords.record,
        txHash: ledgerRecords.txHash,
        logIndex: ledgerRecords.logIndex,
      })
      .from(ledgerRecords)
      .where(gte(ledgerRecords.seq, next))
      .orderBy(asc(ledgerRecords.seq))
      .limit(PAGE);
    const gap = rows.findIndex(({ seq }, index) => seq !== next + index);
    const whole = gap === -1 ? rows : rows.slice(0, gap);
    if (whole.length === 0) return;
    yield whole.map(({ seq, record: { type, ...record }, txHash, logIndex }) => {
      return { type, ...record, seq, txHash, logIndex } as LedgerEntry;
    });
    if (whole.length < PAGE) return;
    next += PAGE;
  }
}

/** Returns the anchors in the ledger, including revoked and expired ones, latest record first. */
export async function readAnchorsPage(
  db: Sql,
  { page, size }: { page: number; size: number },
): Promise<AnchorsPage> {
  const recorded = isNotNull(anchors.seq);
  const [rows, [counted]] = await Promise.all([
    db
      .select({ anchor: anchors, name: agents.name })
      .from(anchors)
      .leftJoin(agents, eq(agents.wallet, anchors.wallet))
      .where(recorded)
      .orderBy(desc(anchors.seq))
      .limit(size)
      .offset(page * size),
    db.select({ total: count() }).from(anchors).where(recorded),
  ]);
  const content = rows.map(({ anchor, name }) => ({
    walletAddress: anchor.wallet,
    name,
    from: anchor.from.toISOString(),
    until: anchor.until?.toISOString() ?? null,
    reason: anchor.reason,
    revoked: anchor.revokedSeq !== null,
    seq: anchor.seq ?? 0,
    onChainTx: anchor.txHash ?? "",
    revokedSeq: anchor.revokedSeq,
    revokedTx: anchor.revokedTxHash,
  }));
  return createPage(content, counted?.total ?? 0, { page, size });
}

/**
 * Returns `outcomes` with `countsFrom` on each reported failure: midnight UTC of the day from which
 * it lowers the score. It is computed from the ledger on every read instead of stored at settlement,
 * because a later dispute, refund, anchor, revocation or takeover decides whether it applies.
 * Outcomes that cannot be reported failures cost no query.
 */
export async function addCountsFrom<T extends PublicOutcome>(db: Sql, outcomes: T[]): Promise<T[]> {
  const candidates = outcomes.filter(mayBeReported).map(({ outcomeId }) => outcomeId);
  if (candidates.length === 0) return outcomes;
  const ledger = await readOutcomeRecords(db, candidates);
  const facts = collectFacts(ledger);
  const records = new Map(
    ledger.flatMap((record) => (record.type === "outcome" ? [[record.id, record]] : [])),
  );
  return outcomes.map((outcome) => {
    const record = records.get(outcome.outcomeId);
    const from = record ? computeCountsFrom(record, facts) : null;
    return from === null
      ? outcome
      : { ...outcome, countsFrom: new Date(from * 1000).toISOString() };
  });
}

const mayBeReported = ({ finalVerdict, submittedBy, paidUsdc }: PublicOutcome): boolean =>
  finalVerdict === "FAILURE" && submittedBy.role === "requester" && paidUsdc > 0;
