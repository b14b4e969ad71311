import { sql } from "drizzle-orm";
import { findLinkedIdentity } from "@/server/identities/queries";
import type { Core, Database } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { readCurrentScores } from "@/server/reputation/current-scores";
import { createUnranked, toPublicReputation } from "@/server/reputation/score/public-reputation";
import { countAgents } from "./agent-list/list-agents";
import { readClientRecord } from "./client-record";
import { selectIsAnchor } from "./counterparty-graph";
import { toEvidenceLevel } from "./risk/assess-risk";
import { readChecked } from "./risk/read-checked";
import type { LimitQuery } from "./risk/read-limits";
import { recommend } from "./risk/recommend";
import { MAX_AGREEMENT_SCAN } from "./risk/schema";
import { runPlanned, runPrepared } from "./run-sql";
import type { AgentProfile, Counterparties, DisputeRecord, WalletProfile } from "./schema";

type Agent = NonNullable<WalletProfile["agent"]>;
interface ProfileRow extends Omit<Agent, "agentId" | "registeredAt" | "simulated"> {
  agentId: string | null;
  registeredAt: string | Date;
  lastActive: string | Date | null;
  simulated: boolean;
  /** Whether any recorded outcome names the wallet. */
  isKnown: boolean;
  agreements: WalletProfile["agreements"];
}

interface TrackRecord extends Omit<WalletProfile, "erc8004"> {
  /** Whether the wallet is registered or a party of a recorded outcome. */
  isKnown: boolean;
}

/** Returns what is known of a wallet: its registration, its score and its risks. */
export async function readTrackRecord(
  db: Database,
  walletAddress: string,
  now: Date,
  query: LimitQuery = {},
): Promise<TrackRecord> {
  const [[row], scores] = await Promise.all([
    runPrepared<ProfileRow>(
      db,
      sql`
    select agent.id as "agentId", agent.name, agent.description, agent.categories, agent.links,
      agent.wallet_verified_at is not null as "walletVerified",
      agent.created_at as "registeredAt", agent.simulated,
      explorer_last_active(own.wallet) as "lastActive",
      exists (
        select from outcomes where contractor = own.wallet and status = 'RESOLVED'
        union all
        select from outcomes where requester = own.wallet and status = 'RESOLVED'
      ) as "isKnown",
      (select json_build_object('outcomes', count(*), 'agreed', count(*) filter (where agreed),
          'delivered', count(*) filter (where agreed and is_delivered))
        from (
          select id, agreed, submitted_by = 'contractor' or final_verdict = 'SUCCESS' as is_delivered
          from outcomes where contractor = own.wallet and status = 'RESOLVED'
          order by submitted_at desc nulls last limit ${sql.raw(String(MAX_AGREEMENT_SCAN))}
        ) as newest where not exists (
          select from refunds where refunds.outcome_id = newest.id and refunded_at is not null
        )) as agreements
    from (select ${walletAddress}::char(42) as wallet) as own
      left join agents as agent on agent.wallet = own.wallet`,
    ),
    readCurrentScores(db, [walletAddress], now),
  ]);
  if (!row) throw new Error("the database returned no row for the wallet");
  const [score] = scores;
  const reputation = score ? toPublicReputation(score) : createUnranked(walletAddress, now);
  const [getChecked, asClient, rank] = await Promise.all([
    readChecked(db, [walletAddress], now, { ...query, scores }),
    readClientRecord(db, walletAddress),
    row.agentId !== null && reputation.totalOutcomes > 0 ? readRank(db, reputation.score) : null,
  ]);
  const checked = getChecked(walletAddress);
  return {
    isKnown: row.isKnown || row.agentId !== null,
    agent: row.agentId === null ? null : toAgent({ ...row, agentId: row.agentId }),
    walletAddress,
    reputation,
    evidence: toEvidenceLevel(score?.breakdown.confidence ?? null),
    confirmedClients: checked.confirmedClients,
    risk: checked.risk,
    recommendation: recommend(checked, null),
    agreements: row.agreements,
    asClient,
    breakdown: score?.breakdown ?? null,
    limit: checked.limit,
    rank,
    lastActive: row.lastActive && new Date(row.lastActive).toISOString(),
  };
}

function toAgent(row: ProfileRow & { agentId: string }): Agent {
  const { agentId, name, description, categories, links, walletVerified } = row;
  return {
    agentId,
    name,
    description,
    categories,
    links,
    walletVerified,
    registeredAt: new Date(row.registeredAt).toISOString(),
    ...(row.simulated ? { simulated: true } : {}),
  };
}

/** The same of a known wallet, with the ERC-8004 identity that the agent has linked; otherwise null. */
export async function readWalletProfile(
  core: Pick<Core, "db" | "chain">,
  walletAddress: string,
  now: Date,
): Promise<WalletProfile | null> {
  const [{ isKnown, ...found }, erc8004] = await Promise.all([
    readTrackRecord(core.db, walletAddress, now),
    findLinkedIdentity(core, walletAddress),
  ]);
  return isKnown ? { ...found, erc8004 } : null;
}

/** Returns the public profile of the agent registered for a wallet. Throws `not-found` if there is none. */
export async function readProfile(
  core: Pick<Core, "db" | "chain">,
  walletAddress: string,
  now: Date,
): Promise<AgentProfile> {
  const found = await readWalletProfile(core, walletAddress, now);
  if (!found?.agent) throw new AppError("not-found", "No agent is registered for this wallet.");
  const { agent, ...trackRecord } = found;
  return { ...agent, ...trackRecord };
}

/** Returns the place on the leaderboard of agents with this score. */
async function readRank(db: Database, score: number): Promise<number> {
  return (await countAgents(db, { minScoreE2: Math.round(score * 100) + 1 })) + 1;
}

const MAX_COUNTERPARTIES = 6;

type CounterpartyRow = Counterparties["top"][number] &
  Pick<Counterparties, "requesters"> & { total: number };

/** Returns how many requesters a wallet worked for, and those with the most resolved outcomes. */
export async function readCounterparties(
  db: Database,
  wallet: string,
  now: Date,
): Promise<Counterparties> {
  const rows = await runPlanned<CounterpartyRow>(
    db,
    sql`
    with top as (
      select requester, count(*)::int as outcomes, (count(*) over ())::int as requesters,
        (sum(count(*)) over ())::int as total
      from outcomes where contractor = ${wallet} and status = 'RESOLVED'
      group by requester order by outcomes desc, requester limit ${MAX_COUNTERPARTIES}
    )
    select requester as "walletAddress", outcomes, requesters, total, agents.name,
      ${selectIsAnchor(sql`requester`, now)} as "isAnchor"
    from top left join agents on agents.wallet = requester
    order by outcomes desc, requester`,
  );
  return {
    requesters: rows[0]?.requesters ?? 0,
    outcomes: rows[0]?.total ?? 0,
    top: rows.map(({ requesters, total, ...counterparty }) => counterparty),
  };
}

type Dispute = DisputeRecord["latest"][number];

const MAX_DISPUTES = 5;

/** Returns how a wallet's disputes ended, and the latest ones. A wallet can't be both parties. */
export async function readDisputeRecord(db: Database, wallet: string): Promise<DisputeRecord> {
  const own = sql`
    select id, outcome_id, opened_at, 'contractor' as role, ${selectDisputeState("CONTRACTOR_WINS")} as state
      from disputes where contractor = ${wallet}
    union all
    select id, outcome_id, opened_at, 'requester', ${selectDisputeState("REQUESTER_WINS")}
      from disputes where requester = ${wallet}`;
  const [counted, latest] = await Promise.all([
    runPlanned<Pick<Dispute, "role" | "state"> & { count: number }>(
      db,
      sql`select role, state, count(*)::int from (${own}) as own group by role, state`,
    ),
    runPlanned<Dispute>(
      db,
      sql`select own.id as "disputeId", role, state, title,
          task_category as "taskCategory", opened_at as "openedAt"
        from (${own} order by opened_at desc, id desc limit ${MAX_DISPUTES}) as own
        join outcomes on outcomes.id = outcome_id
        order by opened_at desc, own.id desc`,
    ),
  ]);
  const record: DisputeRecord = {
    contractor: { won: 0, lost: 0, open: 0 },
    requester: { won: 0, lost: 0, open: 0 },
    latest: latest.map((dispute) => ({
      ...dispute,
      openedAt: new Date(dispute.openedAt).toISOString(),
    })),
  };
  for (const { role, state, count } of counted) record[role][state] = count;
  return record;
}

/** Returns the SQL state of a dispute: `open` until its verdict is confirmed on chain. */
function selectDisputeState(winning: "CONTRACTOR_WINS" | "REQUESTER_WINS") {
  return sql`case when status = 'OPEN' then 'open' when verdict = ${winning} then 'won' else 'lost' end`;
}
