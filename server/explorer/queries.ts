import type { Database } from "@/server/lib/context";
import { preparedOn } from "@/server/lib/prepared";
import { countAgents } from "./counts";
import { toEntry } from "./entry";
import { type Filter, toScoreE2 } from "./filter";
import type { ExplorerPage, LeaderboardInput, SearchInput } from "./schema";
import { textMatch } from "./text-match";
import { type Found, searchText } from "./text-search";
import { textTotals } from "./text-totals";
import { walk } from "./walk";

/**
 * Returns registered agents with at least one outcome, by score, then outcomes, then name, then id.
 * Reads only indexes and the histogram, however many agents there are.
 */
export async function readLeaderboard(
  db: Database,
  { category, tier, page, size }: LeaderboardInput,
): Promise<ExplorerPage> {
  const filter: Filter = { category, tier, minScoreE2: 0, onlyRanked: true };
  return toPage(await list(db, filter, "score", { page, size }), { page, size });
}

/** Returns the matching agents; `q` is part of a name or description, or a wallet prefix. */
export async function searchAgents(db: Database, input: SearchInput): Promise<ExplorerPage> {
  return toPage(await findAgents(db, input), input);
}

/** Returns the same as rows. */
export async function findAgents(
  db: Database,
  { q, category, tier, minScore = 0, sort, page, size }: SearchInput,
): Promise<Found> {
  const filter: Filter = { category, tier, minScoreE2: toScoreE2(minScore), onlyRanked: false };
  const match = textMatch(q);
  return match
    ? searchText(db, totalsOn(db), {
        filter,
        match,
        sort,
        stretch: { offset: page * size, limit: size },
      })
    : list(db, filter, sort, { page, size });
}

const totalsOn = preparedOn<Database, ReturnType<typeof textTotals>>(textTotals);

async function list(
  db: Database,
  filter: Filter,
  sort: SearchInput["sort"],
  { page, size }: { page: number; size: number },
): Promise<Found> {
  const extent = await countAgents(db, filter);
  const stretch = { offset: page * size, limit: size };
  return { rows: await walk(db, { filter, extent, sort, stretch }), total: extent.total };
}

function toPage({ rows, total }: Found, { page, size }: { page: number; size: number }) {
  return {
    content: rows.map(toEntry),
    totalElements: total,
    totalPages: Math.ceil(total / size),
    page,
    size,
  };
}
