import { type SQL, sql } from "drizzle-orm";
import type { NamedWallet } from "@/server/agents/schema";
import { runPlanned, runPrepared } from "@/server/explorer/run-sql";
import type { Backing } from "@/server/explorer/schema";
import { BACKING } from "@/server/explorer/wallet-outcomes";
import { UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import type { Database } from "@/server/lib/context";
import { createPage } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { fromMicro, toMicro } from "@/server/lib/usdc";
import { isClientConfirmed } from "@/server/outcomes/public-outcome";
import type {
  NetworkDispute,
  NetworkDisputes,
  NetworkDisputesInput,
  NetworkOutcome,
  NetworkOutcomes,
  NetworkOutcomesInput,
} from "./schema";

/** Most records that a list has. */
const MAX_LISTED = 10_000;
/** Newest records that filters without an index of their own search, so that the cost is bounded. */
const MAX_SEARCHED = 50_000;

/** Returns the outcomes of all agents that match every filter, newest first. */
export async function readNetworkOutcomes(
  db: Database,
  input: NetworkOutcomesInput,
  limits = { listed: MAX_LISTED, searched: MAX_SEARCHED },
): Promise<NetworkOutcomes> {
  const { category, status, verdict, backing, minValueUsdc, from, to } = input;
  const end = to && new Date(Date.parse(to) + DAY_MS).toISOString();
  const filters = [
    verdict &&
      sql`case when assessed then final_verdict when not assessed then 'NOT_ASSESSED' end = ${verdict}`,
    minValueUsdc && sql`value_micro >= ${String(toMicro(minValueUsdc))}::bigint`,
    backing && WHERE_BACKING[backing],
    from && sql`resolved_at >= ${`${from}T00:00:00Z`}::timestamptz`,
    end && sql`resolved_at < ${end}::timestamptz`,
  ].filter((filter): filter is SQL => Boolean(filter));
  const indexed = [
    category && sql`task_category = ${category}`,
    status && sql`status = ${status}`,
    // A verdict follows its submission, so later ones need not be searched.
    end && sql`submitted_at < ${end}::timestamptz`,
  ].filter((filter): filter is SQL => Boolean(filter));
  const found = await findRecords(db, { table: "outcomes", indexed, filters }, input, limits);
  const rows = await queryOutcomes(db, found.ids);
  return { ...createPage(rows.map(toOutcome), found.total, input), isMore: found.isMore };
}

/** One lookup for all rows: the rule's own, which compares times, is slow for thousands of rows. */
const IS_ANCHOR = sql`requester in (
  select wallet from anchors where seq is not null and revoked_seq is null
)`;
const WHERE_BACKING: Record<Backing, SQL> = {
  anchored: sql`${IS_ANCHOR} and ${BACKING} = 'anchored'`,
  paid: sql`paid_micro > 0 and (not ${IS_ANCHOR} or ${BACKING} = 'paid')`,
  claimed: sql`paid_micro = 0 and (not ${IS_ANCHOR} or ${BACKING} = 'claimed')`,
};

/** Returns the disputes of all agents that match every filter, most recently opened first. */
export async function readNetworkDisputes(
  db: Database,
  input: NetworkDisputesInput,
  limits = { listed: MAX_LISTED, searched: MAX_SEARCHED },
): Promise<NetworkDisputes> {
  const { category, status, result } = input;
  const comparison = result === "upheld" ? sql`=` : sql`<>`;
  const filters = [
    result && sql`status = 'RESOLVED' and final_verdict ${comparison} recorded_verdict`,
    category &&
      sql`(select task_category from outcomes where outcomes.id = outcome_id) = ${category}`,
  ].filter((filter): filter is SQL => Boolean(filter));
  const indexed = status ? [sql`status = ${status}`] : [];
  const found = await findRecords(db, { table: "disputes", indexed, filters }, input, limits);
  const rows = await queryDisputes(db, found.ids);
  return { ...createPage(rows.map(toDispute), found.total, input), isMore: found.isMore };
}

interface Selection {
  table: "outcomes" | "disputes";
  /** Conditions that an index of the list's order covers. */
  indexed: SQL[];
  /** Conditions that are checked record by record. */
  filters: SQL[];
}

const TIMES = { outcomes: sql`submitted_at`, disputes: sql`opened_at` };

/** Returns the ids of a page and the number of matches, by one scan of bounded length. */
async function findRecords(
  db: Database,
  { table, indexed, filters }: Selection,
  { page, size }: { page: number; size: number },
  limits: { listed: number; searched: number },
): Promise<{ ids: string[]; total: number; isMore: boolean }> {
  const name = sql.identifier(table);
  const newestFirst = sql`order by ${TIMES[table]} desc, id desc`;
  const selected = sql`from ${name} where ${joinConditions(indexed)} ${newestFirst}`;
  const searched =
    filters.length === 0
      ? sql`select id, ${TIMES[table]} ${selected} limit ${limits.listed + 1}`
      : sql`select id, ${TIMES[table]} from (select * ${selected} limit ${limits.searched}) as ${name}
          where ${joinConditions(filters)} ${newestFirst} limit ${limits.listed + 1}`;
  const isUnsearched =
    filters.length === 0
      ? sql`false`
      : sql`exists (select id ${selected} limit 1 offset ${limits.searched})`;
  const offset = page * size;
  const pageSize = Math.max(0, Math.min(size, limits.listed - offset));
  const [found] = await runPlanned<{ ids: string[]; hits: number; isUnsearched: boolean }>(
    db,
    sql`
    with hit as materialized (${searched})
    select (select count(*)::int from hit) as hits, ${isUnsearched} as "isUnsearched",
      to_jsonb(array(select id from hit ${newestFirst} limit ${pageSize} offset ${offset})) as ids`,
  );
  if (!found) throw new Error("a count has a row");
  const { ids, hits } = found;
  return {
    ids,
    total: Math.min(hits, limits.listed),
    isMore: hits > limits.listed || found.isUnsearched,
  };
}

const joinConditions = (conditions: SQL[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);

/** Column for a party of the table with its registered name. */
const party = (table: Selection["table"], column: "contractor" | "requester") => {
  const wallet = sql`${sql.identifier(table)}.${sql.identifier(column)}`;
  return sql`json_build_object('walletAddress', ${wallet}, 'name',
    (select name from agents where agents.wallet = ${wallet})) as ${sql.identifier(column)}`;
};

type Time = string | Date;

interface OutcomeRow
  extends Omit<
    NetworkOutcome,
    "valueUsdc" | "paidUsdc" | "clientConfirmed" | "submittedAt" | "resolvedAt" | "simulated"
  > {
  contractor: NamedWallet;
  requester: NamedWallet;
  submittedBy: "contractor" | "requester";
  agreed: boolean;
  value: string | bigint;
  paid: string | bigint;
  submittedAt: Time;
  resolvedAt: Time | null;
  simulated: boolean;
}

/** Reads outcomes in the order of `ids`; a verdict is public once its outcome is resolved. */
function queryOutcomes(db: Database, ids: string[]): Promise<OutcomeRow[]> {
  const ifResolved = (column: SQL) => sql`case when status = 'RESOLVED' then ${column} end`;
  return runPrepared<OutcomeRow>(
    db,
    sql`
    select outcomes.id as "outcomeId", status, task_category as "taskCategory", title,
      ${party("outcomes", "contractor")}, ${party("outcomes", "requester")},
      value_micro as value, paid_micro as paid, ${BACKING} as backing,
      ${ifResolved(sql`verdict`)} as verdict,
      ${ifResolved(sql`coalesce(final_verdict, verdict)`)} as "finalVerdict",
      ${ifResolved(sql`assessed`)} as assessed, dispute_id as "disputeId", simulated, submitted_at as "submittedAt",
      ${ifResolved(sql`resolved_at`)} as "resolvedAt",
      exists (
        select from refunds where refunds.outcome_id = outcomes.id and refunded_at is not null
      ) as "isRefunded", superseded_by is not null as "isSuperseded",
      submitted_by as "submittedBy", agreed
    from unnest(${sql.param(ids)}::uuid[]) with ordinality as listed(id, place)
      join outcomes using (id)
    order by place`,
  );
}

function toOutcome(found: OutcomeRow) {
  const { value, paid, submittedBy, agreed, submittedAt, resolvedAt, simulated, ...row } = found;
  const paidUsdc = fromMicro(BigInt(paid));
  return {
    ...row,
    valueUsdc: fromMicro(BigInt(value)),
    paidUsdc,
    clientConfirmed: paidUsdc > 0 ? isClientConfirmed({ submittedBy, agreed }) : null,
    submittedAt: toTimestamp(submittedAt),
    resolvedAt: resolvedAt && toTimestamp(resolvedAt),
    ...(simulated ? { simulated: true as const } : {}),
  };
}

interface DisputeRow
  extends Omit<NetworkDispute, "valueUsdc" | "openedAt" | "resolvedAt" | "simulated"> {
  value: string | bigint;
  openedAt: Time;
  resolvedAt: Time | null;
  simulated: boolean;
}

/** Reads disputes in the order of `ids`; a verdict is public once its dispute is resolved. */
function queryDisputes(db: Database, ids: string[]): Promise<DisputeRow[]> {
  const ifResolved = (column: SQL) =>
    sql`case when disputes.status = 'RESOLVED' then ${column} end`;
  return runPrepared<DisputeRow>(
    db,
    sql`
    select disputes.id as "disputeId", outcome_id as "outcomeId", disputes.status,
      opened_by as "openedBy", ${party("disputes", "contractor")},
      ${party("disputes", "requester")}, task_category as "taskCategory", title,
      value_micro as value, recorded_verdict as "recordedVerdict",
      coalesce(confidence_ppm, 0) > ${UNDECIDED_PPM} as "recordedAssessed",
      ${ifResolved(sql`disputes.assessed`)} as assessed,
      ${ifResolved(sql`disputes.final_verdict`)} as "finalVerdict",
      opened_at as "openedAt", ${ifResolved(sql`disputes.resolved_at`)} as "resolvedAt",
      disputes.simulated
    from unnest(${sql.param(ids)}::uuid[]) with ordinality as listed(id, place)
      join disputes using (id)
      join outcomes on outcomes.id = disputes.outcome_id
    order by place`,
  );
}

function toDispute({ value, openedAt, resolvedAt, simulated, ...row }: DisputeRow) {
  return {
    ...row,
    valueUsdc: fromMicro(BigInt(value)),
    openedAt: toTimestamp(openedAt),
    resolvedAt: resolvedAt && toTimestamp(resolvedAt),
    ...(simulated ? { simulated: true as const } : {}),
  };
}

const toTimestamp = (time: Time) => new Date(time).toISOString();
