import { inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { createPage, idSchema, txHashSchema } from "@/server/lib/schema";
import { walletSchema } from "@/server/lib/wallet";
import { readLeaderboardDetails } from "./agent-list/leaderboard-details";
import { toEntry } from "./agent-list/list-agents";
import { findAgents } from "./queries";
import { runPlanned } from "./run-sql";
import type { SearchResults } from "./schema";
import { readPublicOutcomes, readWalletOutcomes } from "./wallet-outcomes";

const MAX_RECORDS = 5;

/** The results other than agents. */
type FoundRecords = Omit<SearchResults, "agents">;
const NO_RECORDS: FoundRecords = { outcomes: [], totalOutcomes: 0, disputes: [], anchorSeqs: [] };

/**
 * Returns the results of the pages' search: agents by name, description or address and, if the term
 * is an id, a transaction hash or a complete address, the outcomes and disputes it refers to.
 */
export async function searchAll(
  db: Database,
  { q, page, size }: { q?: string | undefined; page: number; size: number },
  now: Date,
): Promise<SearchResults> {
  const [{ rows, total, isMore }, records] = await Promise.all([
    findAgents(db, { q, sort: "score", page, size }),
    q ? searchRecords(db, q) : NO_RECORDS,
  ]);
  const getDetails = await readLeaderboardDetails(db, rows, now);
  const agents = rows.map((row) => ({ ...toEntry(row), rank: null, ...getDetails(row) }));
  return { agents: { ...createPage(agents, total, { page, size }), isMore }, ...records };
}

async function searchRecords(db: Database, q: string): Promise<FoundRecords> {
  if (idSchema.safeParse(q).success) return searchById(db, q);
  if (txHashSchema.safeParse(q).success) return searchByTransaction(db, q.toLowerCase());
  const { data: walletAddress } = walletSchema.safeParse(q);
  if (!walletAddress) return NO_RECORDS;
  const input = { walletAddress, page: 0, size: MAX_RECORDS };
  const { content, totalElements } = await readWalletOutcomes(db, input);
  const outcomes = content.map(({ backing, ...outcome }) => outcome);
  return { ...NO_RECORDS, outcomes, totalOutcomes: totalElements };
}

async function searchById(db: Database, id: string): Promise<FoundRecords> {
  const [outcomes, disputes] = await Promise.all([
    readPublicOutcomes(db, [id]),
    readDisputesWhere(db, sql`id = ${id}`),
  ]);
  return { ...NO_RECORDS, outcomes, totalOutcomes: outcomes.length, disputes };
}

/** Searches by the transaction's ledger records: one transaction may record several verdicts. */
async function searchByTransaction(db: Database, txHash: string): Promise<FoundRecords> {
  const records = await runPlanned<{ seq: string | number; type: string; id: string | null }>(
    db,
    sql`select seq, type, outcome_id as id from ledger_records where tx_hash = ${txHash}
      order by seq`,
  );
  const getIds = (type: string) =>
    records.flatMap((record) => (record.type === type && record.id ? [record.id] : []));
  const outcomeIds = getIds("outcome");
  const disputedIds = getIds("dispute").slice(0, MAX_RECORDS);
  return {
    outcomes: await readPublicOutcomes(db, outcomeIds.slice(0, MAX_RECORDS)),
    totalOutcomes: outcomeIds.length,
    disputes: await readDisputesWhere(db, inArray(sql`outcome_id`, disputedIds)),
    anchorSeqs: records
      .filter(({ type }) => type === "anchor" || type === "anchor-revoked")
      .map(({ seq }) => Number(seq)),
  };
}

async function readDisputesWhere(db: Database, condition: SQL) {
  const rows = await runPlanned<{ id: string; outcomeId: string; openedAt: string | Date }>(
    db,
    sql`select id, outcome_id as "outcomeId", opened_at as "openedAt" from disputes
      where ${condition} order by opened_at desc`,
  );
  return rows.map(({ id, outcomeId, openedAt }) => ({
    disputeId: id,
    outcomeId,
    openedAt: new Date(openedAt).toISOString(),
  }));
}
