import { readChecked } from "@/server/explorer/risk/read-checked";
import { type CheckedAgent, recommend } from "@/server/explorer/risk/recommend";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { createPage } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import {
  type CategoryFigures,
  readCategoryFigures,
  readLeaderboardDetails,
} from "./leaderboard-details";
import {
  countAbove,
  countAgents,
  countUpTo,
  type EntryRow,
  type Filter,
  listAgents,
  RANKED_BY,
  type RankColumn,
  scanAlone,
  selectListed,
  toEntry,
  toScoreE2,
} from "./list-agents";
import type { RankedInput, RankedPage } from "./schema";

/** Most agents that are counted with the less frequent filters; above it, a total is "more than". */
const MAX_COUNTED = 10_000;
/**
 * Most agents whose risks or figures in a category are read to filter or sort by them: the best ones by
 * score, or the first ones in the list's order.
 */
const MAX_ASSESSED = 500;

type Places = ({ place: number; tied: boolean } | null)[];

export interface RankedAgents {
  rows: EntryRow[];
  places: Places;
  total: number;
  /** Whether the total is a lower bound. */
  isMore: boolean;
}

/**
 * Returns a page of the leaderboard with ranks, risks and the last 30 days of each score. If no agent can be
 * hired for the value at stake without escrow, lists those that can be with it.
 */
export async function readRankedAgents(
  db: Database,
  input: RankedInput,
  now: Date,
  maxAssessed = MAX_ASSESSED,
): Promise<RankedPage> {
  const { category, valueUsdc } = input;
  const [hirable, usable, outOf] = await Promise.all([
    findRankedAgents(db, input, now, maxAssessed),
    valueUsdc ? findRankedAgents(db, { ...input, valueUsdc: 0 }, now, maxAssessed) : null,
    countAgents(db, { category, onlyRanked: true }),
  ]);
  const { rows, places, total, isMore } = usable && hirable.total === 0 ? usable : hirable;
  const wallets = rows.map((row) => row.wallet);
  const [getDetails, getFigures] = await Promise.all([
    readLeaderboardDetails(db, rows, now, input),
    category ? readCategoryFigures(db, wallets, category, now) : null,
  ]);
  const content = rows.map((row, index) => {
    const categoryFigures = getFigures?.(row.wallet);
    return {
      ...toEntry(row, category),
      rank: places[index] ?? null,
      ...getDetails(row),
      ...(categoryFigures ? { categoryFigures } : {}),
    };
  });
  const withEscrow = usable ? usable.total - hirable.total : 0;
  return {
    ...createPage(content, total, input),
    isMore,
    outOf,
    hirable: hirable.total,
    withEscrow,
  };
}

/** Returns the agents of a page of the leaderboard, and their ranks. */
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
  { minScore = 0, activeDays, sort, page, size, ...input }: RankedInput,
  now: Date,
): Promise<RankedAgents> {
  const { category, tier, minOutcomes, walletVerified } = input;
  const activeSince = activeDays
    ? new Date(now.getTime() - activeDays * DAY_MS).toISOString()
    : undefined;
  const filter: Filter = {
    ...{ category, tier, minOutcomes, walletVerified, activeSince },
    minScoreE2: toScoreE2(minScore),
    onlyRanked: true,
  };
  const isCapped = minOutcomes !== undefined || activeDays !== undefined || walletVerified;
  const most = isCapped ? MAX_COUNTED : Number.MAX_SAFE_INTEGER;
  const offset = page * size;
  const [counted, rows] = await Promise.all([
    isCapped ? countUpTo(db, selectListed(filter), MAX_COUNTED + 1) : countAgents(db, filter),
    listAgents(db, { filter, sort, range: { offset, limit: size + 1 } }),
  ]);
  const column = RANKED_BY[sort];
  const values = column ? rows.map((row) => row[column]) : [];
  const [value = null] = values;
  const countBetter = (column: RankColumn, value: number) =>
    column === "rank_score" && !isCapped
      ? countAgents(db, { ...filter, minScoreE2: value + 1 })
      : countAbove(db, filter, { column, value });
  const above = column && value !== null ? await countBetter(column, value) : 0;
  const total = Math.min(counted, most);
  return {
    rows: offset < total ? rows.slice(0, size) : [],
    places: computePlaces(values, offset, above),
    total,
    isMore: counted > most,
  };
}

/** Figure in a category that the orders of its list go by, unless an index has it. */
const CATEGORY_FIGURE: Partial<Record<RankedInput["sort"], keyof CategoryFigures>> = {
  successRate: "successRate",
  outcomes: "outcomes",
  clients: "confirmedClients",
  activity: "lastDay",
};

interface Assessed {
  /** In order, each with the figure that ranks it, and with the highest value to hire it for; null if none. */
  agents: { row: EntryRow; value: Value; limitUsdc: number | null }[];
  /** Whether the figures rank the agents. */
  isRanking: boolean;
  isMore: boolean;
}

/** Lists with recommendations, which read up to 200 outcomes of each agent; all values and pages share one. */
const getAdvisedLists = prepareOnce((_db: Database) =>
  cacheLoads<Assessed>({ ttlMs: 20_000, max: 100 }),
);

async function findAmongFirst(
  db: Database,
  { page, size, valueUsdc, hideRisky, ...query }: RankedInput,
  now: Date,
  maxAssessed: number,
): Promise<RankedAgents> {
  const isAdvised = isByAdvice({ valueUsdc, hideRisky });
  const assess = () => assessFirst(db, query, now, maxAssessed, isAdvised);
  const { agents, isRanking, isMore } = await (isAdvised
    ? getAdvisedLists(db)(JSON.stringify([query, maxAssessed]), assess)
    : assess());
  const matching = agents.filter(
    ({ limitUsdc }) => limitUsdc !== null && limitUsdc >= (valueUsdc ?? 0),
  );
  const places = computePlaces(isRanking ? matching.map(({ value }) => value) : [], 0, 0);
  const range = [page * size, (page + 1) * size] as const;
  return {
    rows: matching.slice(...range).map(({ row }) => row),
    places: places.slice(...range),
    total: matching.length,
    isMore,
  };
}

/**
 * Finds agents by what only a look at each can tell: its risks, and its figures in a category. Looks at
 * the first `maxAssessed` that match everything else; one such read at a time.
 */
async function assessFirst(
  db: Database,
  query: Omit<RankedInput, "page" | "size" | "valueUsdc" | "hideRisky">,
  now: Date,
  maxAssessed: number,
  isAdvised: boolean,
): Promise<Assessed> {
  const { category, minOutcomes = 0, activeDays, sort } = query;
  const figure = category && CATEGORY_FIGURE[sort];
  const first = { ...query, sort: figure ? ("score" as const) : sort, page: 0, size: maxAssessed };
  const { rows, total, ...found } = await findByIndex(db, first, now);
  const isMore = found.isMore || total > maxAssessed;
  const wallets = rows.map(({ wallet }) => wallet);
  const [getChecked, getFigures] = await scanAlone(() =>
    Promise.all([
      isAdvised ? readChecked(db, wallets, now, { category }) : null,
      category ? readCategoryFigures(db, wallets, category, now) : null,
    ]),
  );

  const earliest = activeDays ? formatUtcDay(new Date(now.getTime() - activeDays * DAY_MS)) : "";
  const column = RANKED_BY[sort];
  const agents = rows.flatMap((row) => {
    const figures = getFigures?.(row.wallet);
    const { outcomes = 0, lastDay = "" } = figures ?? {};
    if (getFigures && (outcomes < minOutcomes || lastDay < earliest)) return [];
    const value = figure ? (figures?.[figure] ?? null) : column ? row[column] : null;
    const limitUsdc = getChecked ? readLimit(getChecked(row.wallet)) : Number.POSITIVE_INFINITY;
    return { row, value, limitUsdc };
  });
  // Agents with the same figure keep the order by score.
  if (figure) agents.sort((a, b) => compare(b.value, a.value));
  // Agents after the first ones by score could have better figures.
  return { agents, isRanking: column !== undefined && !(figure && isMore), isMore };
}

function readLimit(agent: CheckedAgent): number | null {
  const { action, limitUsdc } = recommend(agent, null);
  return action === "do-not-hire" ? null : limitUsdc;
}

type Value = number | string | null;

/** Orders values, nulls first. */
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return a < b ? -1 : Number(a > b);
}

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
