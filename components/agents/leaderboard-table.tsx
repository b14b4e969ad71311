import Link from "next/link";
import { drawSparkline, getRange } from "@/components/charts/sparkline";
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
  /** Whether the list is of one category: marks the columns that are not about it. */
  isCategory?: boolean;
}

/** Columns that show the whole record even in the list of a category. */
const OVERALL = ["Recommendation", "30 days", "Tier", "Evidence"];

/** Titles of the columns, and the orders that they link to. The style sheet refers to positions. */
const COLUMNS: readonly (readonly [title: string, sort?: Sort])[] = [
  ["#"],
  ["Agent", "name"],
  ["Recommendation"],
  ["Score", "score"],
  ["30 days"],
  ["Tier"],
  ["Evidence"],
  ["Success", "successRate"],
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
        className={`leaderboard-table ${isRanked || sorting ? "" : "unranked"} ${isExplained ? "explained" : ""}`}
      >
        <caption className="sr-only">
          Agents with a recommendation, score, tier, evidence, success rate, outcomes, confirmed
          clients and last activity
        </caption>
        <thead>
          <tr>
            {COLUMNS.map(([title, sort]) => (
              <Header
                key={title}
                title={title}
                sort={sort}
                sorting={sorting}
                isOverall={isCategory && OVERALL.includes(title)}
              />
            ))}
          </tr>
        </thead>
        <LeaderboardRows
          agents={packRows(agents.map((agent) => formatRow(agent, now, span)))}
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
  title: string;
  sort: Sort | undefined;
  isOverall: boolean;
}

function Header({ title, sort, sorting, isOverall }: HeaderProps) {
  const note = isOverall && <small>overall</small>;
  if (!sort || !sorting) {
    return (
      <th scope="col">
        {title}
        {note}
      </th>
    );
  }
  const direction = sort === "name" ? "ascending" : "descending";
  return (
    <th scope="col" aria-sort={sort === sorting.sort ? direction : undefined}>
      <Link href={sorting.getUrl(sort)} prefetch={false}>
        {title}
      </Link>
      {note}
    </th>
  );
}

function formatRow(agent: Agent, now: string, span: number): AgentRow {
  const { rank, score, categoryScore, recommendation, risk, days } = agent;
  const {
    successRate,
    outcomes = agent.totalOutcomes,
    confirmedClients,
  } = { ...agent, ...agent.categoryFigures };
  const { change, isNew } = getChange(days);
  const trend = isNew ? null : getTrend(change);
  return {
    wallet: agent.walletAddress,
    name: agent.name,
    ...(agent.walletVerified ? { verified: true } : {}),
    about: [shortenHex(agent.walletAddress), ...agent.categories].join(" · "),
    ...(rank ? { place: rank.place } : {}),
    ...(rank?.tied ? { tied: true } : {}),
    advice: summarizeAdvice(recommendation, risk),
    score: agent.tier === "UNRANKED" ? "–" : (categoryScore ?? score).toFixed(2),
    ...(categoryScore === undefined ? {} : { overall: score.toFixed(2) }),
    path: drawSparkline(days, span),
    change: isNew ? "new" : days.length > 0 ? formatChange(change) : "–",
    ...(trend ? { trend } : {}),
    tier: TIERS.indexOf(agent.tier),
    evidence: EVIDENCE_LEVELS.indexOf(agent.evidence),
    ...(outcomes > 0 ? { success: formatSuccessRate(successRate) } : {}),
    outcomes: formatAmount(outcomes),
    clients: formatAmount(confirmedClients),
    active: describeActivity(agent, now),
    ...(agent.match ? { match: agent.match } : {}),
  };
}

/** Says when the agent last worked; in a category the day is known, not the time. */
function describeActivity({ lastActive, categoryFigures }: LeaderboardRow, now: string): string {
  const at = categoryFigures ? categoryFigures.lastDay : lastActive;
  if (at === null) return "–";
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
