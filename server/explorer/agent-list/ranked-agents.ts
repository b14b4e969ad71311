import { type SQL, sql } from "drizzle-orm";
import { runPlanned, runPrepared } from "@/server/explorer/run-sql";
import type { RankedInput, RankedPage } from "@/server/explorer/schema";
import type { Database } from "@/server/lib/context";
import { createPage } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { countAgents, type Filter, toScoreE4 } from "./filter";
import { readCategoryFigures, readLeaderboardDetails } from "./leaderboard-details";
import {
  type EntryRow,
  readInTurn,
  selectEntries,
  selectFirst,
  selectRange,
  selectRanks,
  toEntry,
} from "./list-agents";

/** Maximum number of recently active agents that are counted; above it, a total is "more than". */
const MAX_COUNTED = 10_000;

/**
 * Returns a page of the leaderboard with ranks, risks and the last 30 days of each score. Reads index
 * ranges, however many agents there are. The histogram does not cover activity, so
 * recently active agents are counted up to 10,000; `isMore` is true if there are more.
 */
export async function readRankedAgents(
  db: Database,
  input: RankedInput,
  now: Date,
): Promise<RankedPage> {
  const { category, tier, minScore = 0, activeDays, sort, page, size } = input;
  const filter: Filter = { category, tier, minScoreE4: toScoreE4(minScore), onlyRanked: true };
  const isFiltered = tier !== undefined || filter.minScoreE4 > 0;
  const [extent, all] = await Promise.all([
    countAgents(db, filter),
    isFiltered ? countAgents(db, { category, minScoreE4: 0, onlyRanked: true }) : null,
  ]);
  const activeSince = activeDays
    ? new Date(now.getTime() - activeDays * DAY_MS).toISOString()
    : undefined;
  const matching = selectRanks({ filter, extent, sort, activeSince });
  const { total, isMore } = activeSince
    ? await countUpTo(
        db,
        selectRanks({ filter, extent, sort: "activity", activeSince }),
        MAX_COUNTED,
      )
    : { total: extent.total, isMore: false };

  const offset = page * size;
  const list = { filter, sort, range: { offset, limit: size + 1 } };
  // A few active agents are collected and sorted; with many, an ordered scan soon fills a page.
  const ranks = activeSince
    ? selectFirst(isMore ? matching : sql`${matching} offset 0`, list)
    : selectRange(matching, list);
  const entries = selectEntries(ranks, { filter, sort });
  // By score one index serves every filter, so one plan does. The histogram does not cover activity.
  const isByHistogram = sort === "score" && !activeSince;
  const run = isByHistogram ? runPrepared : runPlanned;
  const rows = offset < total ? await readInTurn(list, () => run<EntryRow>(db, entries)) : [];
  const shown = rows.slice(0, size);
  const wallets = shown.map((row) => row.wallet);
  const [places, getDetails, getFigures] = await Promise.all([
    readInTurn(list, () =>
      computeRanks(rows, sort, offset, async (column, first) => {
        const [counted] = await run<{ above: number }>(
          db,
          // A score that has changed since the rows were read could make it negative.
          isByHistogram
            ? sql`select greatest(${offset}::int - count(*)::int, 0) as above
                from (${matching}) as matching
                where rank_score = ${first.rank_score}::int and ${whereBefore(first)}`
            : sql`select count(*)::int as above from (${matching}) as matching
                where ${sql.identifier(column)} > ${first[column]}`,
        );
        return counted?.above ?? 0;
      }),
    ),
    readLeaderboardDetails(db, shown, now),
    category ? readCategoryFigures(db, wallets, category, now) : null,
  ]);
  const content = shown.map((row, index) => {
    const categoryFigures = getFigures?.(row.wallet);
    return {
      ...toEntry(row),
      rank: places[index] ?? null,
      ...getDetails(row),
      ...(categoryFigures ? { categoryFigures } : {}),
    };
  });
  return {
    ...createPage(content, total, { page, size }),
    isMore,
    outOf: (all ?? extent).total,
  };
}

async function countUpTo(db: Database, agents: SQL, most: number) {
  const [row] = await runPlanned<{ total: number }>(
    db,
    sql`select count(*)::int as total from (${agents} limit ${most + 1}) as matching`,
  );
  const total = row?.total ?? 0;
  return { total: Math.min(total, most), isMore: total > most };
}

/** Column that ranks the agents by each sort order; none if it is not a ranking. */
const RANKED_BY = {
  score: "rank_score",
  successRate: "success_rate_e_4",
  outcomes: "total_outcomes",
  clients: "requesters",
  activity: null,
  name: null,
} as const satisfies Record<RankedInput["sort"], keyof EntryRow | null>;

/** Condition that an agent with the same score comes before a row, in the order by score. */
const whereBefore = ({ total_outcomes, name, agent_id }: EntryRow) => sql`(
  total_outcomes > ${total_outcomes}::int
  or total_outcomes = ${total_outcomes}::int and (name, agent_id) < (${name}::text, ${agent_id}::uuid)
)`;

/**
 * Returns the rank of each row; rows with equal sort values share the rank of the first.
 * @param rows Those of a page plus the next one, which shows whether the last row is tied.
 * @param countAbove Returns the number of agents with more in `column` than the first row.
 */
async function computeRanks(
  rows: EntryRow[],
  sort: RankedInput["sort"],
  offset: number,
  countAbove: (column: string & keyof EntryRow, first: EntryRow) => Promise<number>,
) {
  const [first] = rows;
  const column = RANKED_BY[sort];
  if (!first || !column) return [];
  let place = first[column] === null ? 1 : (await countAbove(column, first)) + 1;
  return rows.map((row, index) => {
    if (row[column] === null) return null;
    const isEqual = (other: EntryRow | undefined) => other?.[column] === row[column];
    if (index > 0 && !isEqual(rows[index - 1])) place = offset + index + 1;
    const tied = place !== offset + index + 1 || isEqual(rows[index + 1]);
    return { place, tied };
  });
}
