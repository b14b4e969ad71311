import { type SQL, sql } from "drizzle-orm";
import { readChecked } from "@/server/explorer/risk/read-checked";
import { type CheckedAgent, recommend } from "@/server/explorer/risk/recommend";
import { runPlanned, runPrepared } from "@/server/explorer/run-sql";
import type { RankedInput, RankedPage } from "@/server/explorer/schema";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { createPage } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { countAgents, type Filter, isUncounted, toScoreE4 } from "./filter";
import {
  type CategoryFigures,
  readCategoryFigures,
  readLeaderboardDetails,
} from "./leaderboard-details";
import {
  acquireScan,
  type EntryRow,
  readInTurn,
  selectEntries,
  selectFirst,
  selectRange,
  selectRanks,
  toEntry,
} from "./list-agents";

/** Maximum number of agents that are counted if the histogram doesn't; above it, a total is "more than". */
const MAX_COUNTED = 10_000;
/**
 * Most agents whose risks or figures in a category are read to filter or sort by them: the best ones by
 * score, or the first ones in the list's order.
 */
const MAX_ASSESSED = 500;

type Places = ({ place: number; tied: boolean } | null)[];

export interface RankedAgents {
  rows: EntryRow[];
  total: number;
  /** Whether the total is a lower bound. */
  isMore: boolean;
  readPlaces: () => Promise<Places> | Places;
}

/**
 * Returns a page of the leaderboard with ranks, risks and the last 30 days of each score. Reads index
 * ranges, however many agents there are.
 */
export async function readRankedAgents(
  db: Database,
  input: RankedInput,
  now: Date,
  maxAssessed = MAX_ASSESSED,
): Promise<RankedPage> {
  const { category } = input;
  const [{ rows, total, isMore, readPlaces }, { total: outOf }] = await Promise.all([
    findRankedAgents(db, input, now, maxAssessed),
    countAgents(db, { category, minScoreE4: 0, onlyRanked: true }),
  ]);
  const wallets = rows.map((row) => row.wallet);
  const [places, getDetails, getFigures] = await Promise.all([
    readPlaces(),
    readLeaderboardDetails(db, rows, now, category),
    category ? readCategoryFigures(db, wallets, category, now) : null,
  ]);
  const content = rows.map((row, index) => {
    const categoryFigures = getFigures?.(row.wallet);
    return {
      ...toEntry(row),
      rank: places[index] ?? null,
      ...getDetails(row),
      ...(categoryFigures ? { categoryFigures } : {}),
    };
  });
  return { ...createPage(content, total, input), isMore, outOf };
}

/** Returns the agents of a page of the leaderboard, and a function that reads their ranks. */
export function findRankedAgents(
  db: Database,
  input: RankedInput,
  now: Date,
  maxAssessed = MAX_ASSESSED,
): Promise<RankedAgents> {
  const { category, minOutcomes, activeDays, sort } = input;
  const isByFigures = category && (minOutcomes ?? activeDays ?? CATEGORY_FIGURE[sort]);
  return isByAdvice(input) || isByFigures
    ? findAmongFirst(db, input, now, maxAssessed)
    : findByIndex(db, input, now);
}

/** Whether the recommendation for each agent decides. */
const isByAdvice = ({ hideRisky, valueUsdc }: Partial<RankedInput>): boolean =>
  hideRisky === true || valueUsdc !== undefined;

async function findByIndex(
  db: Database,
  { category, tier, minScore = 0, sort, page, size, ...input }: RankedInput,
  now: Date,
): Promise<RankedAgents> {
  const { minOutcomes, activeDays, walletVerified } = input;
  const filter: Filter = {
    category,
    tier,
    minScoreE4: toScoreE4(minScore),
    onlyRanked: true,
    minOutcomes,
    activeSince: activeDays
      ? new Date(now.getTime() - activeDays * DAY_MS).toISOString()
      : undefined,
    walletVerified,
  };
  const extent = await countAgents(db, filter);
  const matching = selectRanks({ filter, extent, sort });
  const offset = page * size;
  const list = { filter, sort, range: { offset, limit: size + 1 } };
  const { total, isMore } = isUncounted(filter)
    ? await readInTurn(list, () =>
        countUpTo(db, selectRanks({ filter, extent, sort: "activity" }), MAX_COUNTED),
      )
    : { total: extent.total, isMore: false };

  // A few matching agents are collected and sorted; with many, an ordered scan soon fills a page.
  const ranks = isUncounted(filter)
    ? selectFirst(isMore ? matching : sql`${matching} offset 0`, list)
    : selectRange(matching, list);
  const entries = selectEntries(ranks, { filter, sort });
  // By score one index serves every counted filter, so one plan does.
  const isByHistogram = sort === "score" && !isUncounted(filter);
  const run = isByHistogram ? runPrepared : runPlanned;
  const rows = offset < total ? await readInTurn(list, () => run<EntryRow>(db, entries)) : [];
  const column = RANKED_BY[sort];
  const countAbove = async (first: EntryRow) => {
    const [counted] = await run<{ above: number }>(
      db,
      // A score that has changed since the rows were read could make it negative.
      isByHistogram
        ? sql`select greatest(${offset}::int - count(*)::int, 0) as above
            from (${matching}) as matching
            where rank_score = ${first.rank_score}::int and ${whereBefore(first)}`
        : sql`select count(*)::int as above from (${matching}) as matching
            where ${sql.identifier(column ?? "")} > ${column && first[column]}`,
    );
    return counted?.above ?? 0;
  };
  const readPlaces = async (): Promise<Places> => {
    const [first] = rows;
    if (!first || !column) return [];
    const above = first[column] === null ? 0 : await readInTurn(list, () => countAbove(first));
    return computePlaces(
      rows.map((row) => row[column]),
      offset,
      above,
    );
  };
  return { rows: rows.slice(0, size), total, isMore, readPlaces };
}

/** Figure in a category that the orders of its list go by, unless an index has it. */
const CATEGORY_FIGURE: Partial<Record<RankedInput["sort"], keyof CategoryFigures>> = {
  successRate: "successRate",
  outcomes: "outcomes",
  clients: "confirmedClients",
  activity: "lastDay",
};

type Assessed = Pick<RankedAgents, "rows" | "isMore"> & { places: Places };

/** Lists by recommendation, which read up to 200 outcomes of each agent; all pages share one. */
const getAdvisedLists = prepareOnce((_db: Database) =>
  cacheLoads<Assessed>({ ttlMs: 20_000, max: 100 }),
);

async function findAmongFirst(
  db: Database,
  { page, size, ...query }: RankedInput,
  now: Date,
  maxAssessed: number,
): Promise<RankedAgents> {
  const assess = () => assessFirst(db, query, now, maxAssessed);
  const { rows, places, isMore } = await (isByAdvice(query)
    ? getAdvisedLists(db)(JSON.stringify([query, maxAssessed]), assess)
    : assess());
  const range = [page * size, (page + 1) * size] as const;
  return {
    rows: rows.slice(...range),
    total: rows.length,
    isMore,
    readPlaces: () => places.slice(...range),
  };
}

/**
 * Finds agents by what only a look at each can tell: its risks, and its figures in a category. Looks at
 * the first `maxAssessed` that match everything else; one such read at a time.
 */
async function assessFirst(
  db: Database,
  query: Omit<RankedInput, "page" | "size">,
  now: Date,
  maxAssessed: number,
): Promise<Assessed> {
  const { category, minOutcomes = 0, activeDays, valueUsdc = 0, sort } = query;
  const figure = category && CATEGORY_FIGURE[sort];
  const first = { ...query, sort: figure ? ("score" as const) : sort, page: 0, size: maxAssessed };
  const { rows, total, ...found } = await findByIndex(db, first, now);
  const isMore = found.isMore || total > maxAssessed;
  const wallets = rows.map(({ wallet }) => wallet);
  const release = await acquireScan();
  const [getChecked, getFigures] = await Promise.all([
    isByAdvice(query) ? readChecked(db, wallets, now, { category }) : null,
    category ? readCategoryFigures(db, wallets, category, now) : null,
  ]).finally(release);

  const earliest = activeDays ? formatUtcDay(new Date(now.getTime() - activeDays * DAY_MS)) : "";
  const column = RANKED_BY[sort];
  const matching = rows
    .map((row) => {
      const figures = getFigures?.(row.wallet);
      return { row, figures, value: figure ? (figures?.[figure] ?? null) : column && row[column] };
    })
    .filter(
      ({ row, figures }) =>
        (!getChecked || canHire(getChecked(row.wallet), valueUsdc)) &&
        (!getFigures ||
          ((figures?.outcomes ?? 0) >= minOutcomes && (figures?.lastDay ?? "") >= earliest)),
    );
  // Agents with the same figure keep the order by score.
  if (figure) matching.sort((a, b) => compare(b.value, a.value));
  // Agents after the first ones by score could have better figures.
  const values = column && !(figure && isMore) ? matching.map(({ value }) => value) : [];
  return { rows: matching.map(({ row }) => row), places: computePlaces(values, 0, 0), isMore };
}

function canHire(agent: CheckedAgent, valueUsdc: number): boolean {
  const { action, limitUsdc } = recommend(agent, null);
  return action !== "do-not-hire" && limitUsdc >= valueUsdc;
}

type Value = number | string | null;

/** Orders values, nulls first. */
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return a < b ? -1 : Number(a > b);
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
 * Returns the place of each sorted value; equal values share that of the first, null has none.
 * @param values Those of a page plus the next one, which shows whether the last one is tied.
 * @param above Number of agents with more than the first value.
 */
function computePlaces(values: Value[], offset: number, above: number): Places {
  let place = above + 1;
  return values.map((value, index) => {
    if (value === null) return null;
    if (index > 0 && values[index - 1] !== value) place = offset + index + 1;
    const tied = place !== offset + index + 1 || values[index + 1] === value;
    return { place, tied };
  });
}
