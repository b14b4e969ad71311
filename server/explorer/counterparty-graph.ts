import { type SQL, sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { fromMicro } from "@/server/lib/usdc";
import { runPlanned } from "./run-sql";
import { type CounterpartyGraph, MAX_GRAPH_WALLETS } from "./schema";

/** How many of the newest outcomes of the wallet itself, in each role, and of each counterparty. */
const OWN_OUTCOMES = 1_000;
const OTHER_OUTCOMES = 100;

interface EdgeRow {
  client: string;
  contractor: string;
  jobs: number;
  micro: string;
  /** Number of wallets that the wallet traded with. */
  total: number;
}

/**
 * Returns the wallets that a wallet trades with most, by payments, then jobs, and the jobs
 * among them. Reads a bounded number of outcomes of each, so the cost does not depend on the
 * length of their histories.
 */
export async function readCounterpartyGraph(
  db: Database,
  wallet: string,
  now: Date,
): Promise<CounterpartyGraph> {
  const newest = (role: "contractor" | "requester") => sql`
    (select requester, contractor, paid_micro from outcomes
      where ${sql.identifier(role)} = ${wallet} and superseded_by is null and status = 'RESOLVED'
      order by submitted_at desc nulls last limit ${OWN_OUTCOMES})`;
  const rows = await runPlanned<EdgeRow>(
    db,
    sql`
    with own as materialized (${newest("contractor")} union all ${newest("requester")}),
    counted as (
      select case when contractor = ${wallet} then requester else contractor end as party,
        sum(paid_micro) as micro, count(*) as jobs
      from own group by party
    ),
    party as materialized (
      select party, (count(*) over ())::int as total from counted
      order by micro desc, jobs desc, party limit ${MAX_GRAPH_WALLETS}
    ),
    edge as (
      select own.* from own
        join party on party = case when contractor = ${wallet} then requester else contractor end
      union all
      select paid.* from party cross join lateral (
        select requester, contractor, paid_micro from outcomes
        where contractor = party and status = 'RESOLVED' and paid_micro > 0 and superseded_by is null
        order by submitted_at desc nulls last limit ${OTHER_OUTCOMES}
      ) as paid
      where paid.requester in (select party from party)
    )
    select requester as client, contractor, count(*)::int as jobs, sum(paid_micro)::text as micro,
      (select max(total) from party) as total
    from edge group by requester, contractor
    order by sum(paid_micro) desc, jobs desc, client, contractor`,
  );
  const paid = new Map<string, number>();
  for (const { client, contractor, micro } of rows) {
    const party = client === wallet ? contractor : contractor === wallet ? client : null;
    if (party) paid.set(party, (paid.get(party) ?? 0) + Number(micro));
  }
  const wallets = [...paid].sort(([, a], [, b]) => b - a).map(([party]) => party);
  return {
    wallets: await readWallets(db, wallets, now),
    total: rows[0]?.total ?? 0,
    edges: rows.map(({ client, contractor, jobs, micro }) => ({
      client,
      contractor,
      jobs,
      paidUsdc: fromMicro(BigInt(micro)),
    })),
  };
}

/** Returns names and anchors of wallets, in their order. */
function readWallets(
  db: Database,
  wallets: string[],
  now: Date,
): Promise<CounterpartyGraph["wallets"]> {
  return runPlanned<CounterpartyGraph["wallets"][number]>(
    db,
    sql`
    select own.wallet as "walletAddress", agents.name,
      ${selectIsAnchor(sql`own.wallet`, now)} as "isAnchor"
    from unnest(${sql.param(wallets)}::char(42)[]) with ordinality as own(wallet, place)
      left join agents on agents.wallet = own.wallet
    order by place`,
  );
}

/** Returns the SQL condition that a wallet is an anchor at a time. */
export const selectIsAnchor = (wallet: SQL, at: Date): SQL => sql`exists (
  select from anchors
  where anchors.wallet = ${wallet} and seq is not null and revoked_seq is null
    and "from" <= ${at.toISOString()} and (until is null or ${at.toISOString()} < until)
)`;
