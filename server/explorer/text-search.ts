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

/** How many matches are collected before the order is walked, and how far it is walked. */
const REACH = { few: 5_000, far: 10_000 };

/**
 * Agents that match a text, within a filter. Where few match, or few pass the filter, these are
 * collected, sorted and counted. Where many do, a short walk along the order fills the page, and
 * the total is counted apart. Where that fails, all matches are far down the order, or the page
 * is: then everything that matches is collected after all.
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
 * The page and the total from all matches; null where there are more than `few` to collect. Reads
 * that no index shortens take turns.
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
