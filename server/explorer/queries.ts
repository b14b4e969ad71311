import { inArray, type SQL, sql } from "drizzle-orm";
import { agents } from "@/server/agents/tables";
import { findLinkedWallet } from "@/server/identities/queries";
import { parseErc8004Id } from "@/server/identities/schema";
import type { Database } from "@/server/lib/context";
import { createPage, idSchema, txHashSchema } from "@/server/lib/schema";
import { fromMicro } from "@/server/lib/usdc";
import { walletSchema } from "@/server/lib/wallet";
import { readLeaderboardDetails } from "./agent-list/leaderboard-details";
import { countAgents, listAgents, toEntry, toScoreE2 } from "./agent-list/list-agents";
import { parseJobSearch } from "./agent-list/parse-job-search";
import { findRankedAgents, readRankedAgents } from "./agent-list/ranked-agents";
import type {
  ExplorerPage,
  LeaderboardInput,
  ListedAgents,
  RankedInput,
  SearchInput,
  SearchResults,
} from "./agent-list/schema";
import { loosenSearchTerm, parseSearchTerm, type SearchTerm } from "./agent-list/search-term";
import { type FoundAgents, searchSimilar, searchText } from "./agent-list/text-search";
import { findCategories, listComparedWords } from "./find-categories";
import { findMatch } from "./find-match";
import { runPlanned, runPrepared } from "./run-sql";
import type { NamedJobs, Names } from "./schema";
import { readPublicOutcomes, readWalletOutcomes } from "./wallet-outcomes";

/** Returns registered agents with at least one outcome, by score, then outcomes, then name, then id. */
export async function readLeaderboard(
  db: Database,
  input: LeaderboardInput,
  now: Date,
): Promise<ExplorerPage> {
  const { tier, page, size } = input;
  // Only agents without an outcome have no tier.
  if (tier === "UNRANKED") return createPage([], 0, { page, size });
  const { rows, total } = await findRankedAgents(db, { ...input, tier, sort: "score" }, now);
  return createPage(
    rows.map((row) => toEntry(row, input.category)),
    total,
    { page, size },
  );
}

/** Returns the matching agents; `q` is part of a name or description, or a wallet prefix. */
export async function searchAgents(db: Database, input: SearchInput): Promise<ExplorerPage> {
  const { rows, total } = await findAgents(db, input);
  return createPage(
    rows.map((row) => toEntry(row, input.category)),
    total,
    input,
  );
}

/** Returns the matching agents as database rows. */
export async function findAgents(
  db: Database,
  { q, category, tier, minScore = 0, sort, page, size }: SearchInput,
): Promise<FoundAgents> {
  const filter = { category, tier, minScoreE2: toScoreE2(minScore) };
  const range = { offset: page * size, limit: size };
  const parsed = parseSearchTerm(q);
  if (!parsed) {
    const [rows, total] = await Promise.all([
      listAgents(db, { filter, sort, range }),
      countAgents(db, filter),
    ]);
    return { rows, total, isMore: false };
  }
  const term = await addLinkedWallet(db, parsed);
  return searchText(db, { filter, term, sort, range });
}

/** Lets a term that is an ERC-8004 id also match the wallet of the agent that has linked it. */
async function addLinkedWallet(db: Database, term: SearchTerm): Promise<SearchTerm> {
  const agentId = parseErc8004Id(term.parts[0] ?? "");
  const wallet = agentId === null ? null : await findLinkedWallet(db, agentId);
  return wallet ? { ...term, walletPattern: wallet.toLowerCase() } : term;
}

/**
 * Finds agents as `findAgents` does; if none match, those whose texts have all words in another form or
 * order; if none do, those with similar words.
 */
async function findAgentsLoosely(db: Database, { q, page, size }: FoundPage) {
  const exact = await findAgents(db, { q, sort: "score", page, size });
  const term = loosenSearchTerm(q);
  if (exact.total > 0 || !term) return { ...exact, isExact: true };
  const range = { offset: page * size, limit: size };
  const loose = await searchText(db, { filter: {}, term, sort: "score", range });
  if (loose.total > 0) return { ...loose, isExact: false };
  return { ...(await searchSimilar(db, { words: listComparedWords(q), range })), isExact: false };
}

interface FoundPage {
  q: string;
  page: number;
  size: number;
}

/** Returns the registered names of wallets. */
export async function readNames(db: Database, wallets: string[]): Promise<Names> {
  if (wallets.length === 0) return {};
  const rows = await runPrepared<{ wallet: string; name: string }>(
    db,
    sql`select wallet, name from agents where wallet = any(${sql.param(wallets)}::char(42)[])`,
  );
  return Object.fromEntries(rows.map(({ wallet, name }) => [wallet, name]));
}

/** Returns what names some outcomes, the most valuable first. */
export async function readJobs(db: Database, outcomeIds: string[]): Promise<NamedJobs> {
  if (outcomeIds.length === 0) return [];
  const rows = await runPlanned<Omit<NamedJobs[number], "valueUsdc"> & { micro: string }>(
    db,
    sql`select outcomes.id as "outcomeId", title, task_category as "taskCategory", value_micro::text as micro,
        case when disputes.status = 'OPEN' then 'open'
          when (disputes.verdict = 'CONTRACTOR_WINS') = (recorded_verdict = 'SUCCESS') then 'upheld'
          when disputes.verdict is not null then 'overturned' end as dispute
      from outcomes left join disputes on disputes.outcome_id = outcomes.id
      where outcomes.id = any(${sql.param(outcomeIds)}::uuid[])
      order by value_micro desc, submitted_at desc`,
  );
  return rows.map(({ micro, ...job }) => ({ ...job, valueUsdc: fromMicro(BigInt(micro)) }));
}

/** Returns whether any agent is simulated. Reads an index that contains only simulated agents. */
export async function hasSimulatedAgents(db: Database): Promise<boolean> {
  const [row] = await runPrepared<{ found: boolean }>(
    db,
    sql`select exists (select from agents where simulated) as found`,
  );
  return row?.found ?? false;
}

/** Returns the registered agents that match by score, with what the leaderboard shows and why they match. */
async function readRegisteredAgents(
  db: Database,
  input: FoundPage & Pick<RankedInput, "valueUsdc">,
  now: Date,
): Promise<ListedAgents> {
  const { rows, total, isMore, isExact } = await findAgentsLoosely(db, input);
  const [getDetails, descriptions] = await Promise.all([
    readLeaderboardDetails(db, rows, now, input),
    input.q ? readDescriptions(db, rows) : null,
  ]);
  const words = listComparedWords(input.q);
  const content = rows.map((row) => {
    const match = findMatch(words, row.name, descriptions?.get(row.agent_id) ?? "");
    return {
      ...toEntry(row, undefined),
      rank: null,
      ...getDetails(row),
      ...(match ? { match } : {}),
    };
  });
  return { ...createPage(content, total, input), isMore, isExact };
}

async function readDescriptions(db: Database, rows: { agent_id: string }[]) {
  const ids = rows.map((row) => row.agent_id);
  const found = await db
    .select({ id: agents.id, description: agents.description })
    .from(agents)
    .where(inArray(agents.id, ids));
  return new Map(found.map(({ id, description }) => [id, description]));
}

const MAX_RECORDS = 5;

/** The results other than agents. */
type FoundRecords = Omit<SearchResults, "agents" | "jobs" | "text" | "valueUsdc">;
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
  const { text, valueUsdc } = parseJobSearch(q ?? "");
  const isOnlyValue = valueUsdc !== undefined && text === "";
  const [agents, records, jobs] = await Promise.all([
    isOnlyValue
      ? { ...createPage([], 0, { page, size }), isMore: false, isExact: true }
      : readRegisteredAgents(db, { q: text, valueUsdc, page, size }, now),
    q ? searchRecords(db, q) : NO_RECORDS,
    Promise.all(
      (isOnlyValue ? [undefined] : findCategories(text)).map((category) =>
        readBest(db, { valueUsdc, category }, now),
      ),
    ),
  ]);
  return { text, valueUsdc, jobs, agents, ...records };
}

/** Most agents found for a job that a search names. */
const BEST = 5;

async function readBest(db: Database, job: Pick<RankedInput, "valueUsdc" | "category">, now: Date) {
  const input = { ...job, sort: "score", page: 0, size: BEST } as const;
  return { category: job.category, best: (await readRankedAgents(db, input, now)).content };
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
