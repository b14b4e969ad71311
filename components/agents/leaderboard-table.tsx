import Link from "next/link";
import { drawSparkline, getRange } from "@/components/charts/sparkline";
import { GLOSSARY } from "@/components/site/glossary";
import { Term } from "@/components/site/term";
import { formatAgo, formatAmount, formatSuccessRate, shortenHex } from "@/components/ui/format";
import { packRows } from "@/components/ui/packed-rows";
import {
  EVIDENCE_LEVELS,
  type LeaderboardRow,
  type ListedAgents,
  type RankedInput,
} from "@/server/explorer/schema";
import { TIERS } from "@/server/lib/schema";
import { summarizeAdvice } from "./advice";
import { type AgentRow, COMPARE_FORM, LeaderboardRows } from "./leaderboard-rows";
import { LeaderboardSprite } from "./leaderboard-sprite";

type Sort = RankedInput["sort"];

type Agent = LeaderboardRow & Pick<ListedAgents["content"][number], "match">;

interface Props {
  agents: Agent[];
  /** ISO 8601; relative times are computed from it. */
  now: string;
  /** The current order and the URLs of the others; without it the headers are no links, and rows can't be ticked. */
  sorting?: { sort: Sort; getUrl: (sort: Sort) => string };
  /** Whether the list is of one category: the overall score is a column, beside figures of the category. */
  isCategory?: boolean;
}

type Column = readonly [title: string, sort?: Sort, entry?: string];

/**
 * Titles of the columns, the orders that they link to, and their entries in the glossary if the titles are
 * shorter. The style sheet refers to positions.
 */
const COLUMNS: readonly Column[] = [
  ["#"],
  ["Agent", "name"],
  ["Recommendation"],
  ["Score", "score"],
  ["30 days"],
  ["Tier"],
  ["Evidence"],
  ["Success", "successRate", "success rate"],
  ["Outcomes", "outcomes"],
  ["Clients", "clients"],
  ["Active", "activity"],
];

/** Score points that each sparkline spans at least, so that small changes look small. */
const MIN_SPAN = 10;

/** Lists agents with their key figures; with ranks if the order is a ranking. */
export function LeaderboardTable({ agents, now, sorting, isCategory = false }: Props) {
  const ranges = agents.map(({ days }) => getRange(days));
  const isRanked = agents.some(({ rank }) => rank !== null);
  const isExplained = agents.some(({ match }) => match);
  const span = Math.max(MIN_SPAN, ...ranges.map(({ min, max }) => max - min));
  return (
    <div className="leaderboard">
      <LeaderboardSprite />
      <table
        className={`leaderboard-table ${isRanked || sorting ? "" : "unranked"} ${isExplained ? "explained" : ""} ${isCategory ? "category" : ""}`}
      >
        <caption className="sr-only">
          Agents with a recommendation, score, tier, evidence, success rate, outcomes, confirmed
          clients and last activity
        </caption>
        <thead>
          <tr>
            {COLUMNS.map((column, n) => (
              <Header
                key={column[0]}
                column={isCategory && n === 4 ? ["Overall"] : column}
                sorting={sorting}
              />
            ))}
          </tr>
        </thead>
        <LeaderboardRows
          agents={packRows(
            agents.map((agent) =>
              formatRow(agent, now, span, sorting !== undefined && !isCategory),
            ),
          )}
          canCompare={sorting !== undefined}
        />
      </table>
      {sorting && (
        <form id={COMPARE_FORM} action="/compare" className="leaderboard-compare">
          <button type="submit">Compare</button>
          <span>Choose two to four agents</span>
        </form>
      )}
    </div>
  );
}

interface HeaderProps extends Pick<Props, "sorting"> {
  column: Column;
}

function Header({ column: [title, sort, entry = title], sorting }: HeaderProps) {
  if (!sort || !sorting) {
    return (
      <th scope="col">
        <Term entry={entry}>{title}</Term>
      </th>
    );
  }
  const direction = sort === "name" ? "ascending" : "descending";
  return (
    <th scope="col" aria-sort={sort === sorting.sort ? direction : undefined}>
      <Link href={sorting.getUrl(sort)} prefetch={false} title={GLOSSARY[entry.toLowerCase()]}>
        {title}
      </Link>
    </th>
  );
}

/** Formats a row; a narrow one names the wallet only of an agent without categories. */
function formatRow(agent: Agent, now: string, span: number, isNarrow: boolean): AgentRow {
  const { rank, score, categoryScore, recommendation, risk, days } = agent;
  const {
    successRate,
    outcomes = agent.totalOutcomes,
    confirmedClients,
  } = { ...agent, ...agent.categoryFigures };
  const { change, isNew } = getChange(days);
  const isOverall = categoryScore !== undefined;
  const trend = isNew || isOverall ? null : getTrend(change);
  const hasOutcomes = outcomes > 0;
  const wallet = shortenHex(agent.walletAddress);
  return {
    wallet: agent.walletAddress,
    name: agent.name,
    ...(agent.walletVerified ? { verified: true } : {}),
    about: [...(isNarrow && agent.categories.length > 0 ? [] : [wallet]), ...agent.categories].join(
      " · ",
    ),
    ...(rank ? { place: rank.place } : {}),
    ...(rank?.tied ? { tied: true } : {}),
    advice: summarizeAdvice(recommendation, risk),
    score: agent.tier === "UNRANKED" ? "" : (categoryScore ?? score).toFixed(2),
    ...(isOverall ? { overall: score.toFixed(2) } : {}),
    path: isNew || isOverall ? "" : drawSparkline(days, span),
    change: isNew ? "new" : days.length > 0 ? formatChange(change) : "",
    ...(trend ? { trend } : {}),
    tier: TIERS.indexOf(agent.tier),
    evidence: EVIDENCE_LEVELS.indexOf(agent.evidence),
    success: hasOutcomes ? formatSuccessRate(successRate) : "",
    outcomes: hasOutcomes ? formatAmount(outcomes) : "",
    clients: hasOutcomes ? formatAmount(confirmedClients) : "",
    active: describeActivity(agent, now),
    ...(agent.match ? { match: agent.match } : {}),
  };
}

/** Says when the agent last worked; in a category the day is known, not the time. */
function describeActivity({ lastActive, categoryFigures }: LeaderboardRow, now: string): string {
  const at = categoryFigures ? categoryFigures.lastDay : lastActive;
  if (at === null) return "";
  return at === now.slice(0, 10) ? "today" : formatAgo(at, now);
}

/** Returns the change within the days; it is new if the first score is from one of them. */
function getChange(days: (number | null)[]): { change: number; isNew: boolean } {
  const known = days.filter((score) => score !== null);
  const [first = 0] = known;
  return { change: (known.at(-1) ?? 0) - first, isNew: days[0] === null };
}

/** Score points from which a change is colored, and from which a fall is emphasized. */
const NOTABLE = 0.5;
const DROP = 5;

function getTrend(change: number): AgentRow["trend"] | null {
  if (change <= -DROP) return "drop";
  if (change <= -NOTABLE) return "fall";
  return change >= NOTABLE ? "rise" : null;
}

function formatChange(change: number): string {
  const rounded = change.toFixed(1);
  if (Number(rounded) === 0) return "0.0";
  return change > 0 ? `+${rounded}` : rounded.replace("-", "\u2212");
}
