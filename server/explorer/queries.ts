import { inArray, sql } from "drizzle-orm";
import { agents } from "@/server/agents/tables";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { createPage } from "@/server/lib/schema";
import { countAgents, type Filter, parseSearchTerm, toScoreE2 } from "./agent-list/filter";
import { listAgents, toEntry } from "./agent-list/list-agents";
import {
  createTextCount,
  type FoundAgents,
  searchText,
  type TextCount,
} from "./agent-list/text-search";
import { BRIEF_SCAN, readRisks } from "./risk/read-risk";
import { runPrepared } from "./run-sql";
import type {
  AgentsInput,
  ExplorerPage,
  LeaderboardInput,
  ListedAgents,
  Names,
  SearchInput,
} from "./schema";

/**
 * Returns registered agents with at least one outcome, by score, then outcomes, then name, then id.
 * Reads only indexes and the histogram, however many agents there are.
 */
export async function readLeaderboard(
  db: Database,
  { category, tier, page, size }: LeaderboardInput,
): Promise<ExplorerPage> {
  const filter: Filter = { category, tier, minScoreE2: 0, onlyRanked: true };
  const { rows, total } = await listFiltered(db, filter, "score", { page, size });
  return createPage(rows.map(toEntry), total, { page, size });
}

/** Returns the matching agents; `q` is part of a name or description, or a wallet prefix. */
export async function searchAgents(db: Database, input: SearchInput): Promise<ExplorerPage> {
  const { rows, total } = await findAgents(db, input);
  return createPage(rows.map(toEntry), total, input);
}

/** Returns the matching agents as database rows. */
export async function findAgents(
  db: Database,
  { q, category, tier, minScore = 0, sort, page, size }: SearchInput,
): Promise<FoundAgents> {
  const filter: Filter = { category, tier, minScoreE2: toScoreE2(minScore), onlyRanked: false };
  const term = parseSearchTerm(q);
  if (!term) return listFiltered(db, filter, sort, { page, size });
  const range = { offset: page * size, limit: size };
  return searchText(db, getTextCount(db), { filter, term, sort, range });
}

const getTextCount = prepareOnce<Database, TextCount>((db) => createTextCount(db));

async function listFiltered(
  db: Database,
  filter: Filter,
  sort: SearchInput["sort"],
  { page, size }: { page: number; size: number },
): Promise<FoundAgents> {
  const extent = await countAgents(db, filter);
  const range = { offset: page * size, limit: size };
  return {
    rows: await listAgents(db, { filter, extent, sort, range }),
    total: extent.total,
    isMore: false,
  };
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

/** Returns whether any agent is simulated. Reads an index that contains only simulated agents. */
export async function hasSimulatedAgents(db: Database): Promise<boolean> {
  const [row] = await runPrepared<{ found: boolean }>(
    db,
    sql`select exists (select from agents where simulated) as found`,
  );
  return row?.found ?? false;
}

/** Returns the registered agents that match, with what a list of them shows. */
export async function readRegisteredAgents(
  db: Database,
  input: AgentsInput,
  now: Date,
): Promise<ListedAgents> {
  const { rows, total, isMore } = await findAgents(db, input);
  const [getRisk, registered] = await Promise.all([
    readRisks(
      db,
      rows.map(({ wallet }) => wallet),
      BRIEF_SCAN,
      now,
    ),
    db
      .select({ id: agents.id, createdAt: agents.createdAt })
      .from(agents)
      .where(
        inArray(
          agents.id,
          rows.map((row) => row.agent_id),
        ),
      ),
  ]);
  const registeredAt = new Map(registered.map(({ id, createdAt }) => [id, createdAt]));
  const content = rows.map((row) => ({
    ...toEntry(row),
    risk: getRisk(row.wallet),
    lastActive: row.last_active && new Date(row.last_active).toISOString(),
    registeredAt: (registeredAt.get(row.agent_id) ?? now).toISOString(),
  }));
  return { ...createPage(content, total, input), isMore };
}
