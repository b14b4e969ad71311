import { summarizeAdvice } from "@/components/agents/advice";
import { formatAmount, formatDay } from "@/components/ui/format";
import { packRows } from "@/components/ui/packed-rows";
import type { ListedAgent } from "@/server/explorer/schema";
import { TIERS } from "@/server/lib/schema";
import { type AgentRow, AgentRows } from "./agent-rows";

interface Props {
  agents: ListedAgent[];
  /** ISO 8601; ages are relative to it. */
  now: string;
}

/** Lists registered agents; on phones in two lines each. */
export function AgentTable({ agents, now }: Props) {
  return <AgentRows agents={packRows(agents.map(formatRow))} now={now} />;
}

/** Returns what a row shows: the risks of all agents in full would be most of the page. */
function formatRow(agent: ListedAgent): AgentRow {
  return {
    wallet: agent.walletAddress,
    name: agent.name,
    categories: agent.categories.join(", "),
    tier: TIERS.indexOf(agent.tier),
    score: agent.tier === "UNRANKED" ? "–" : agent.score.toFixed(2),
    advice: summarizeAdvice(agent.recommendation, agent.risk),
    outcomes: formatAmount(agent.totalOutcomes),
    registered: formatDay(agent.registeredAt),
    ...(agent.walletVerified ? { verified: true } : {}),
    ...(agent.lastActive ? { lastActive: agent.lastActive } : {}),
  };
}
