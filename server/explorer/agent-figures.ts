import { type SQL, sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { fromMicro } from "@/server/lib/usdc";
import { MIN_PAYMENT_MICRO } from "@/server/reputation/score/weigh-outcome";
import { runPrepared } from "./run-sql";
import type { PastJobs, PastJobsInput } from "./schema";

/** Newest outcomes of an agent whose payments and deliveries are summarized. */
const SCAN = 200;
/** Fewest payments of which the largest and smallest tenth are left out. */
const MIN_FOR_PERCENTILES = 10;

/** Whether a row of `outcomes` counts: not refunded, superseded or by a squatter. */
export const IS_NOT_VOID = sql`(
  superseded_by is null
  and not exists (select from refunds where refunds.outcome_id = outcomes.id)
  and (proven or not exists (
    select from takeovers where at > resolved_at and takeovers.wallet =
      case submitted_by when 'contractor' then contractor else requester end
  ))
)`;

/**
 * Number of clients with a paid or anchored job of the contractor `wallet`: of an agent as stored for
 * lists, of an unregistered wallet counted.
 */
export const selectConfirmedClients = (wallet: SQL) => sql`coalesce(
  (select requesters from agents join explorer_ranks on agent_id = id
    where agents.wallet = ${wallet} and category = '*'),
  explorer_requesters(${wallet})
)`;

interface PastJobsRow {
  jobs: number;
  /** Least, 10th percentile, median, 90th percentile and most, in millionths of a USDC. */
  paid: string[] | null;
  deliveries: number;
  seconds: number | null;
}

/** Returns what clients paid an agent, and how long it took from signed terms to delivery. */
export async function readPastJobs(
  db: Database,
  { walletAddress, category }: PastJobsInput,
): Promise<PastJobs> {
  const [row] = await runPrepared<PastJobsRow>(
    db,
    sql`
    select count(*) filter (where counts)::int as jobs,
      (percentile_disc(array[0, 0.1, 0.5, 0.9, 1]) within group (order by paid_micro)
        filter (where counts))::text[] as paid,
      count(seconds)::int as deliveries,
      percentile_disc(0.5) within group (order by seconds) as seconds
    from (
      select paid_micro, paid_micro >= ${sql.raw(String(MIN_PAYMENT_MICRO))} and ${IS_NOT_VOID} as counts, case when submitted_by = 'contractor' then (
          select extract(epoch from outcomes.submitted_at - agreed_at)::float8 from agreements
          where agreements.id = outcomes.agreement_id
        ) end as seconds
      from (
        select * from outcomes where contractor = ${walletAddress} and status = 'RESOLVED'
        order by submitted_at desc nulls last limit ${sql.raw(String(SCAN))}
      ) as outcomes
      where ${category ?? null}::text is null or task_category = ${category ?? null}
    ) as jobs`,
  );
  const { jobs = 0, paid, deliveries = 0, seconds = null } = row ?? {};
  const [least, low, median, high, most] = (paid ?? []).map((micro) => fromMicro(BigInt(micro)));
  const isFullRange = jobs < MIN_FOR_PERCENTILES;
  return {
    prices: !paid
      ? null
      : {
          jobs,
          lowUsdc: (isFullRange ? least : low) ?? 0,
          medianUsdc: median ?? 0,
          highUsdc: (isFullRange ? most : high) ?? 0,
        },
    delivery: seconds === null ? null : { jobs: deliveries, medianSeconds: seconds },
  };
}
