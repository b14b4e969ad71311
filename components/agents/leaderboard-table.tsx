import { drawSparkline, getRange } from "@/components/charts/sparkline";
import type { Job } from "@/components/compare/job";
import {
  formatAgo,
  formatAmount,
  formatScore,
  formatSuccessRate,
  shortenHex,
} from "@/components/ui/format";
import { formatPoints, hasPoints } from "@/components/ui/points";
import type { LeaderboardRow, ListedAgents } from "@/server/explorer/agent-list/schema";
import { nameCategory } from "@/server/lib/category-name";
import { TIERS } from "@/server/lib/schema";
import { isTrusted, summarizeAdvice } from "./advice";
import { type AgentRow, LeaderboardRows, type Sorting } from "./leaderboard-rows";

type Agent = LeaderboardRow & Pick<ListedAgents["content"][number], "match">;

interface Props {
  agents: Agent[];
  /** ISO 8601; relative times are computed from it. */
  now: string;
  /** The current order and the URLs of all; without it the headers are no links, and rows can't be ticked. */
  sorting?: Sorting;
  /** What the list is for. */
  job?: Job;
}

/** Score points that each sparkline spans at least, so that small changes look small. */
const MIN_SPAN = 10;

/** Lists agents with their key figures; with ranks if the order is a ranking. */
export function LeaderboardTable({ agents, now, sorting, job = {} }: Props) {
  const ranges = agents.map(({ days }) => getRange(days));
  const span = Math.max(MIN_SPAN, ...ranges.map(({ min, max }) => max - min));
  const isNarrow = sorting !== undefined && !job.category;
  const hasNamesake = (agent: Agent) =>
    agents.some((one) => one !== agent && one.name === agent.name);
  const rows = agents.map((agent) => formatRow(agent, now, span, isNarrow, hasNamesake(agent)));
  // In a ranking, those that should not be hired come last.
  const isLast = ({ rank, advice }: AgentRow) => Number(rank !== null && advice.level === "danger");
  return (
    <LeaderboardRows
      agents={rows.sort((a, b) => isLast(a) - isLast(b))}
      sorting={sorting}
      job={job}
    />
  );
}

/** Formats a row; a narrow one names the wallet only if nothing else tells the agent apart. */
function formatRow(
  agent: Agent,
  now: string,
  span: number,
  isNarrow: boolean,
  hasNamesake: boolean,
): AgentRow {
  const { rank, score, categoryScore, recommendation, risk, days } = agent;
  const {
    successRate,
    assessedOutcomes,
    confirmedOutcomes,
    outcomes = agent.totalOutcomes,
    confirmedClients,
  } = { ...agent, ...agent.categoryFigures };
  const { change, isNew } = getChange(days);
  const isOverall = categoryScore !== undefined;
  const trend = isNew || isOverall ? null : getTrend(change);
  const hasOutcomes = outcomes > 0;
  const wallet = agent.walletAddress;
  const categories = agent.categories.map(nameCategory);
  const isWalletShown = !isNarrow || hasNamesake || categories.length === 0;
  return {
    wallet,
    name: agent.name,
    isVerified: agent.walletVerified,
    isTrusted: isTrusted(risk.level, score),
    about: [...(isWalletShown ? [shortenHex(wallet)] : []), ...categories].join(" · "),
    hasNamesake,
    rank,
    advice: summarizeAdvice(recommendation, risk, score),
    score: agent.tier === "UNRANKED" ? "" : formatScore(categoryScore ?? score),
    ...(isOverall ? { overall: formatScore(score) } : {}),
    path: isNew || isOverall ? "" : drawSparkline(days, span),
    change: isNew ? "new" : days.length > 0 ? formatChange(change) : "",
    trend,
    tier: TIERS.indexOf(agent.tier),
    success: hasOutcomes ? formatSuccessRate(successRate, assessedOutcomes, confirmedOutcomes) : "",
    outcomes: hasOutcomes ? formatAmount(outcomes) : "",
    clients: hasOutcomes ? formatAmount(confirmedClients) : "",
    active: describeActivity(agent, now),
    match: agent.match,
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

/** Score points from which a change is colored: the line of a smaller one looks flat. */
const NOTABLE = 5;

const getTrend = (change: number): AgentRow["trend"] =>
  Math.abs(change) < NOTABLE ? null : change > 0 ? "rise" : "fall";

const formatChange = (change: number) => (hasPoints(change) ? formatPoints(change) : "0.00");
