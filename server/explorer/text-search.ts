import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { takeTurn } from "@/server/lib/turns";
import { countAgents } from "./counts";
import { type EntryRow, SIMULATED } from "./entry";
import { type Filter, inCategory, matches, standing } from "./filter";
import { FOLDED_NAME, ORDER_BY, type Sort } from "./order";
import { runPlanned } from "./run";
import type { TextMatch } from "./text-match";
import { SCAN, type textTotals } from "./text-totals";
import { type Asked, ranked, type Stretch, walkMatching } from "./walk";

export interface Found {
  rows: EntryRow[];
  total: number;
}

/** Maximum number of matches to collect, and of agents to scan in sort order. */
const REACH = { few: 5_000, far: 10_000 };

/**
 * Returns the agents that match a text and a filter. If few match, or few pass the filter, these
 * are collected, sorted and counted. If many do, a short scan in sort order fills the page, and the
 * total is counted separately. If the scan doesn't fill the page (the matches or the page are too
 * far down the order), all matches are collected.
 */
export async function searchText(
  db: Database,
  totals: ReturnType<typeof textTotals>,
  query: { filter: Filter; match: TextMatch; sort: Sort; stretch: Stretch },
  { few, far } = REACH,
): Promise<Found> {
  const { filter, match, stretch } = query;
  const extent = await countAgents(db, filter);
  if (extent.total === 0) return { rows: [], total: 0 };
  const asked = { ...query, extent };

  const collected = await collect(db, asked, match, few);
  if (collected) return collected;
  if (stretch.offset + stretch.limit <= far) {
    const rows = await walkMatching(db, asked, match, far);
    if (rows.length === stretch.limit) return { rows, total: await totals.get(filter, match) };
  }
  const all = await collect(db, asked, match, null);
  return all ?? { rows: [], total: 0 };
}

type CollectedRow = { hits: number; total: number } & (EntryRow | { agent_id: null });

/**
 * Returns the page and the total from all matches; null if there are more than `few` to collect.
 * Reads that can't use an index run one at a time.
 */
async function collect(
  db: Database,
  { filter, extent, sort, stretch }: Asked,
  match: TextMatch,
  few: number | null,
): Promise<Found | null> {
  const fromFilter = few !== null && extent.total <= few;
  const candidates = fromFilter
    ? sql`(select agent_id from (${ranked({ filter, extent })}) as r) as r
        join explorer_entries e using (agent_id)`
    : sql`explorer_entries e`;
  const statement = sql`
    with hit as materialized (
      select agent_id, wallet, name, ${FOLDED_NAME}, categories, score_e_2, tier, total_outcomes,
        requesters, last_active, wallet_verified, created_at
      from ${candidates} where ${matches(match)} ${few === null ? sql`` : sql`limit ${few + 1}`}
    ), fitting as materialized (
      select * from hit where true ${standing(filter)} ${inCategory(filter)}
    )
    select hits, total, page.* from
      (select count(*)::int as hits from hit) as h,
      (select count(*)::int as total from fitting) as t
      left join (
        select *, ${SIMULATED} from fitting order by ${ORDER_BY[sort]}
        limit ${stretch.limit} offset ${stretch.offset}
      ) as page on true
    order by ${ORDER_BY[sort]}`;
  const scans = few === null || !(fromFilter || match.isIndexed);
  const giveBackTurn = scans ? await takeTurn(SCAN) : () => {};
  try {
    const rows = await runPlanned<CollectedRow>(db, statement);
    const [first] = rows;
    if (!first || (few !== null && first.hits > few)) return null;
    return { rows: rows.filter((row) => row.agent_id !== null), total: first.total };
  } finally {
    giveBackTurn();
  }
}
