import { type SQL, sql } from "drizzle-orm";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import type { DisputeVerdict } from "@/server/disputes/schema";
import { IS_NOT_VOID, selectConfirmedClients } from "@/server/explorer/agent-figures";
import { runPrepared } from "@/server/explorer/run-sql";
import { BACKING } from "@/server/explorer/wallet-outcomes";
import type { Database } from "@/server/lib/context";
import type { Tier } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { fromMicro } from "@/server/lib/usdc";
import { POLICY } from "@/server/reputation/policy";
import type { LedgerFacts } from "@/server/reputation/score/ledger-facts";
import {
  type StoredReputation,
  toPublishedScore,
} from "@/server/reputation/score/public-reputation";
import { MIN_PAYMENT_MICRO, toUtcDay } from "@/server/reputation/score/weigh-outcome";
import { assessRisk, type RiskFacts, type SuccessSums } from "./assess-risk";
import { type LimitQuery, readLimits } from "./read-limits";
import type { CheckedAgent } from "./recommend";
import { type RiskOutcome, toRiskOutcome } from "./risk-outcome";
import { RISK_RULES } from "./rules";

/**
 * How much of each wallet's past is read besides its recent failures, so that the cost does not depend
 * on its length: its newest outcomes, and the newest payments to and from itself and each wallet that it
 * trades with.
 */
const SCAN = { outcomes: 200, payments: 100 };

interface Checked extends CheckedAgent {
  confirmedClients: number;
}

/**
 * Returns what recommendations about wallets are based on, registered or not, by wallet.
 * @param scores Used instead of the stored scores, which may be of an earlier day.
 */
export async function readChecked(
  db: Database,
  wallets: string[],
  now: Date,
  { scores = [], ...query }: LimitQuery & { scores?: StoredReputation[] } = {},
): Promise<(wallet: string) => Checked> {
  const [summaries, outcomes, payments, getLimit] = await Promise.all([
    querySummaries(db, wallets, now),
    queryOutcomes(db, wallets, now),
    queryPayments(db, wallets),
    readLimits(db, wallets, now, query),
  ]);
  const scoreOf = new Map(scores.map((score) => [score.wallet, score]));
  const summaryOf = new Map(summaries.map((row) => [row.wallet, row]));
  const outcomesOf = new Map(outcomes.map((row) => [row.wallet, row]));
  const paymentsOf = new Map(payments.map((row) => [row.wallet, row.payments]));
  return (wallet) => {
    const own = outcomesOf.get(wallet);
    const summary = toSummary(summaryOf.get(wallet), scoreOf.get(wallet));
    const { limit, earnedMicro } = getLimit(wallet);
    const facts: RiskFacts = {
      wallet,
      ...summary,
      lastActive: own?.lastActive ? new Date(own.lastActive) : null,
      clients: own?.clients ?? [],
      failures: own?.failures?.map((row) => weighRow(wallet, row, now)) ?? [],
      successes: toSuccessSums(own?.successes ?? null),
      earnedMicro,
      payments: (paymentsOf.get(wallet) ?? []).map(([payer, payee, jobs, micro]) => ({
        payer,
        payee,
        jobs,
        usdc: fromMicro(BigInt(micro)),
      })),
    };
    return {
      reputation: summary,
      confirmedClients: summary.confirmedClients,
      risk: assessRisk(facts, now),
      limit,
    };
  };
}

interface SummaryRow {
  wallet: string;
  isWalletVerified: boolean;
  tier: Tier | null;
  scoreE4: number | null;
  confirmedOutcomes: number | null;
  confirmedClients: number;
  peakE4: number | null;
  peakAt: string | Date | null;
}

/** Reads the stored score of each wallet, and the highest one of the last days. */
function querySummaries(db: Database, wallets: string[], now: Date): Promise<SummaryRow[]> {
  const since = new Date(now.getTime() - RISK_RULES.collapseDays * DAY_MS).toISOString();
  return runPrepared<SummaryRow>(
    db,
    sql`
    select own.wallet, agent.wallet_verified_at is not null as "isWalletVerified", tier,
      score_e_4 as "scoreE4", confirmed_outcomes as "confirmedOutcomes",
      ${selectConfirmedClients(sql`own.wallet`)} as "confirmedClients",
      peak_e_4 as "peakE4", peak_at as "peakAt"
    from unnest(${sql.param(wallets)}::char(42)[]) as own(wallet)
      left join agents as agent on agent.wallet = own.wallet
      left join reputations as reputation on reputation.wallet = own.wallet
      left join lateral (
        select score as peak_e_4, greatest(at, ${since}::timestamptz) as peak_at
        from (
          (select score_e_4 as score, at from reputation_history as history
            where history.wallet = own.wallet and at >= ${since})
          union all
          (select score_e_4, at from reputation_history as history
            where history.wallet = own.wallet and at < ${since}
            order by at desc nulls last limit 1)
        ) as scores
        order by score desc, at desc limit 1
      ) as peak on true`,
  );
}

function toSummary(row: SummaryRow | undefined, current: StoredReputation | undefined) {
  const { tier, scoreE4, confirmedOutcomes } = current ?? row ?? {};
  const peak =
    row?.peakE4 == null || row.peakAt === null
      ? null
      : { score: toPublishedScore(row.peakE4), at: new Date(row.peakAt) };
  return {
    tier: tier ?? "UNRANKED",
    score: toPublishedScore(scoreE4 ?? 0),
    peak,
    confirmedOutcomes: confirmedOutcomes ?? 0,
    confirmedClients: row?.confirmedClients ?? 0,
    isWalletVerified: row?.isWalletVerified ?? false,
  } as const;
}

/** A recorded outcome as in the ledger, and the other records that decide what it weighs. */
interface OutcomeRow extends Omit<OutcomeRecord, "type" | "contractor" | "category"> {
  dispute: DisputeVerdict | null;
  assessed: boolean;
  isAnchored: boolean;
  isRefunded: boolean;
  isSuperseded: boolean;
  isTakenOver: boolean;
}

interface OutcomesRow {
  wallet: string;
  /** As in `RiskFacts`; null without any. */
  clients: RiskFacts["clients"] | null;
  failures: OutcomeRow[] | null;
  /** Null without a failure, because nothing is compared with them then. */
  successes: [rated: number, good: number, agreed: number, newestAt: string | null] | null;
  lastActive: string | Date | null;
}

function toSuccessSums(sums: OutcomesRow["successes"]): SuccessSums {
  const [rated, good, agreed, newestAt] = sums ?? [0, 0, 0, null];
  return { rated, good, agreed, newestAt: newestAt === null ? null : new Date(newestAt) };
}

/**
 * Reads each wallet's work as contractor: the clients of the newest outcomes, the failures of the last
 * days, the newest verdict first, and sums over the successes of those days.
 */
function queryOutcomes(db: Database, wallets: string[], now: Date): Promise<OutcomesRow[]> {
  const firstDay = toUtcDay(now.getTime() / 1000) - RISK_RULES.failureDays + 1;
  const since = sql`${new Date(firstDay * DAY_MS).toISOString()}::timestamptz`;
  return runPrepared<OutcomesRow>(
    db,
    sql`
    select own.wallet, clients, last_active as "lastActive", failures,
      case when failures is not null then (${selectSuccessSums(since)}) end as successes
    from unnest(${sql.param(wallets)}::char(42)[]) as own(wallet)
    cross join lateral (
      select max(newest) as last_active,
        json_agg(json_build_array(requester, jobs) order by jobs desc, requester)
          filter (where jobs > 0) as clients
      from (
        select requester, max(submitted_at) as newest,
          count(*) filter (where ${HAS_MONEY} and ${IS_NOT_VOID}) as jobs
        from (
          select * from outcomes where contractor = own.wallet and status = 'RESOLVED'
          order by submitted_at desc nulls last limit ${toConstant(SCAN.outcomes)}
        ) as outcomes
        group by requester
      ) as client
    ) as client
    cross join lateral (
      select json_agg(json_build_object(
          'id', outcomes.id, 'requester', requester, 'verdict', verdict,
          'valueMicro', value_micro, 'paidMicro', paid_micro, 'submittedBy', submitted_by,
          'proven', proven, 'agreed', agreed, 'confPpm', confidence_ppm,
          'resolvedAt', extract(epoch from resolved_at)::bigint,
          'dispute', ${DISPUTE_VERDICT}, 'assessed', assessed, 'isAnchored', ${BACKING} = 'anchored',
          'isRefunded', exists (
            select from refunds
            where refunds.outcome_id = outcomes.id and refunded_at is not null
          ),
          'isSuperseded', superseded_tx is not null,
          'isTakenOver', not proven and exists (
            select from takeovers where at > resolved_at and takeovers.wallet =
              case submitted_by when 'contractor' then contractor else requester end
          )
        ) order by resolved_at desc, outcomes.id desc) as failures
      from outcomes
      where contractor = own.wallet and final_verdict = 'FAILURE' and resolved_at >= ${since}
        and ${HAS_MONEY}
    ) as failed`,
  );
}

/** Returns a query for the sums over the successes of the contractor `own.wallet` since a time. */
const selectSuccessSums = (since: SQL) => sql`
    select json_build_array(count(*) filter (where weight > 0), coalesce(sum(weight), 0),
      count(*) filter (where agreed), max(resolved_at))
    from (
      select agreed, resolved_at, case when assessed
          then greatest(0, 2 * confidence_ppm - 1000000) / 1e6::float8
            * value / (value + ${toConstant(POLICY.halfWeightUsdc * 1_000_000)})
          else 0 end as weight
      from (
        select *, least(value_micro, case when paid_micro > 0 then paid_micro
          else ${toConstant(POLICY.unpaidValueUsdc * 1_000_000)} end)::float8 as value
        from outcomes where contractor = own.wallet and status = 'RESOLVED'
          and final_verdict = 'SUCCESS' and submitted_at >= ${since}
      ) as outcomes
      where ${HAS_MONEY} and ${IS_NOT_VOID}
    ) as success`;

/** Whether an outcome is paid, without dust, or anchored. */
const HAS_MONEY = sql`(paid_micro >= ${sql.raw(String(MIN_PAYMENT_MICRO))} or ${BACKING} = 'anchored')`;

/** A rebuilt database has a dispute's record, but not the dispute. */
const DISPUTE_VERDICT = sql`coalesce(
  (select disputes.verdict from disputes
    where disputes.outcome_id = outcomes.id and disputes.status = 'RESOLVED'),
  case when final_verdict <> verdict
    then case final_verdict when 'SUCCESS' then 'CONTRACTOR_WINS' else 'REQUESTER_WINS' end end
)`;

function weighRow(contractor: string, row: OutcomeRow, now: Date): RiskOutcome {
  const { dispute, assessed, isAnchored, isRefunded, isSuperseded, isTakenOver, ...record } = row;
  const facts: LedgerFacts = {
    // The outcome's `assessed` weighs like the dispute's, which a rebuilt database may lack.
    getDispute: () => (dispute ? { verdict: dispute, assessed } : undefined),
    wasRefunded: () => isRefunded,
    wasSuperseded: () => isSuperseded,
    wasAnchored: () => isAnchored,
    wasTakenOverAfter: () => isTakenOver,
  };
  // The category changes no weight.
  const fixed = { type: "outcome", contractor, category: "ops" } as const;
  return toRiskOutcome({ ...record, ...fixed }, facts, now);
}

interface PaymentsRow {
  wallet: string;
  /** Sums of all payments from one wallet to another; the amount is in millionths of a USDC. */
  payments: [payer: string, payee: string, jobs: number, micro: string][];
}

/**
 * Reads the newest payments of each wallet. If they may be those of a ring, it also reads those of
 * every wallet that it trades with, if these are few enough for a closed group.
 */
function queryPayments(db: Database, wallets: string[]): Promise<PaymentsRow[]> {
  const limit = toConstant(SCAN.payments);
  const newestPayments = (role: "contractor" | "requester", wallet: string) => sql`
    (select id, requester, contractor, paid_micro from outcomes
      where ${sql.raw(role)} = ${sql.raw(wallet)} and paid_micro >= ${toConstant(MIN_PAYMENT_MICRO)}
        and superseded_by is null and status = 'RESOLVED'
      order by submitted_at desc nulls last limit ${limit})`;
  const bothRoles = (wallet: string) =>
    sql`${newestPayments("contractor", wallet)} union all ${newestPayments("requester", wallet)}`;
  // In a closed group some payee pays each client. So if it is known that none pays one of them, the
  // payments of the others, most of what would be read, change nothing.
  return runPrepared(
    db,
    sql`
    with own_payment as materialized (
      select own.wallet, paid.* from unnest(${sql.param(wallets)}::char(42)[]) as own(wallet)
        cross join lateral (${bothRoles("own.wallet")}) as paid
    ),
    trader as materialized (
      select wallet, count(*) as payments,
        array_agg(contractor) filter (where requester = wallet) as payees,
        min(requester) filter (where contractor = wallet) as client
      from own_payment group by wallet
      having count(*) filter (where contractor = wallet) >= ${toConstant(RISK_RULES.ringJobs)}
        and count(*) filter (where requester = wallet) > 0
    ),
    suspect as materialized (
      select wallet from trader where payments >= ${limit} or (
        select count(*) = ${limit} or bool_or(requester = any(payees))
        from ${newestPayments("contractor", "trader.client")} as income
      )
    ),
    member as materialized (
      select wallet, party from (
        select wallet, party, count(*) over (partition by wallet) as members
        from (
          select wallet, requester as party from own_payment
          union select wallet, contractor from own_payment
        ) as traded
        where wallet in (select wallet from suspect)
      ) as counted
      where members <= ${toConstant(RISK_RULES.closedGroupMembers)} and party <> wallet
    ),
    payment as (
      select * from own_payment
      union
      select member.wallet, paid.* from member
        cross join lateral (${bothRoles("member.party")}) as paid
    )
    select wallet, json_agg(json_build_array(requester, contractor, jobs, micro)) as payments
    from (
      select wallet, requester, contractor, count(*) as jobs, sum(paid_micro)::text as micro
      from payment group by wallet, requester, contractor
    ) as summed group by wallet`,
  );
}

/** A number as a part of the statement, so that the plan can depend on it although it is made once. */
const toConstant = (value: number) => sql.raw(String(value));
