import Link from "next/link";
import { Sparkline } from "@/components/charts/sparkline";
import { UntrustedText } from "@/components/site/untrusted-text";
import {
  formatAgo,
  formatAmount,
  formatCount,
  formatDateTime,
  shortenHex,
} from "@/components/ui/format";
import type { EvidenceLevel, LeaderboardRow } from "@/server/explorer/schema";
import { TierMark, VerifiedMark } from "./agent-marks";

interface Props {
  agents: LeaderboardRow[];
  /** ISO 8601; relative times are computed from it. */
  now: string;
}

/** Labels for the amount of evidence, and the share of the bar. */
const EVIDENCE: Record<EvidenceLevel, { label: string; share: number }> = {
  none: { label: "None", share: 0 },
  limited: { label: "Limited", share: 0.33 },
  moderate: { label: "Moderate", share: 0.67 },
  strong: { label: "Strong", share: 1 },
};

/** Columns after the rank. */
const COLUMNS = [
  ["Agent", "pr-4"],
  ["Score", "pr-4 text-right max-sm:pr-0"],
  ["Evidence", "hidden pr-4 pl-2 sm:table-cell"],
  ["Tier", "hidden pr-4 sm:table-cell"],
  ["Outcomes", "hidden pr-4 text-right md:table-cell"],
  ["Clients", "hidden pr-4 text-right lg:table-cell"],
  ["30 days", "hidden text-right md:table-cell"],
] as const;
const CELL = "py-4 pr-4";

/** Lists agents with their key figures, and with ranks if they are ordered by score. */
export function LeaderboardTable({ agents, now }: Props) {
  const isRanked = agents.some(({ rank }) => rank !== null);
  return (
    <table className="w-full border-collapse">
      <caption className="sr-only">
        Agents with score, evidence, tier, outcomes, clients and the last 30 days
      </caption>
      <thead>
        <tr className="border-b border-line text-left text-sm text-muted">
          {isRanked && (
            <th scope="col" className="w-12 py-2.5 pr-4 font-normal">
              <span className="sr-only">Rank</span>
              <span aria-hidden="true">#</span>
            </th>
          )}
          {COLUMNS.map(([title, className]) => (
            <th key={title} scope="col" className={`py-2.5 font-normal ${className}`}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <Row key={agent.agentId} agent={agent} isRanked={isRanked} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ agent, isRanked, now }: { agent: LeaderboardRow; isRanked: boolean; now: string }) {
  return (
    <tr className="relative border-b border-line align-top hover:bg-sunken">
      {isRanked && (
        <td className={`${CELL} text-muted`}>{agent.rank && <Rank {...agent.rank} />}</td>
      )}
      <th scope="row" className={`${CELL} w-full max-w-0 text-left font-normal`}>
        <Link
          href={`/agents/${agent.walletAddress}`}
          className="block truncate font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
        >
          <UntrustedText>{agent.name}</UntrustedText>
        </Link>
        <span className="flex items-center gap-1.5 text-sm whitespace-nowrap text-muted">
          <span title={agent.walletAddress}>{shortenHex(agent.walletAddress)}</span>
          <VerifiedMark verified={agent.walletVerified} brief />
          {agent.simulated && <span className="text-notice-ink">simulated</span>}
          <span className="hidden min-w-0 truncate xl:inline">{agent.categories.join(", ")}</span>
        </span>
        <span className="mt-1.5 grid gap-0.5 text-sm text-muted sm:hidden">
          <TierMark tier={agent.tier} />
          <span>
            {formatCount(agent.totalOutcomes, "outcome")}, {formatCount(agent.confirmedClients, "client")}
          </span>
        </span>
        <span className="block truncate text-sm text-muted xl:hidden">
          {agent.categories.join(", ")}
        </span>
      </th>
      <td className={`${CELL} text-right max-sm:pr-0`}>
        <span className="text-lg font-semibold">{agent.score.toFixed(2)}</span>
        <span className="mt-1 grid justify-items-end gap-1.5 sm:hidden">
          <EvidenceMark evidence={agent.evidence} />
          <Sparkline days={agent.days} />
        </span>
      </td>
      <td className={`${CELL} hidden pl-2 sm:table-cell`}>
        <EvidenceMark evidence={agent.evidence} />
      </td>
      <td className={`${CELL} hidden sm:table-cell`}>
        <TierMark tier={agent.tier} />
      </td>
      <td className={`${CELL} hidden text-right md:table-cell`}>
        {formatAmount(agent.totalOutcomes)}
        {agent.lastActive && (
          <time
            dateTime={agent.lastActive}
            title={`Latest: ${formatDateTime(agent.lastActive)}`}
            className="block text-xs whitespace-nowrap text-muted"
          >
            {formatAgo(agent.lastActive, now)}
          </time>
        )}
      </td>
      <td className={`${CELL} hidden text-right lg:table-cell`}>
        {formatAmount(agent.confirmedClients)}
      </td>
      <td className="hidden py-3 text-right md:table-cell">
        <Sparkline days={agent.days} />
      </td>
    </tr>
  );
}

/** Shows a rank; ties share one and are marked. */
function Rank({ place, tied }: { place: number; tied: boolean }) {
  if (!tied) return place;
  return (
    <span title="Tied">
      <span aria-hidden="true">=</span>
      {place}
      <span className="sr-only">, tied</span>
    </span>
  );
}

/** Shows the amount of evidence behind a score, as a label and as a bar. */
function EvidenceMark({ evidence }: { evidence: EvidenceLevel }) {
  const { label, share } = EVIDENCE[evidence];
  return (
    <span className="inline-grid w-20 gap-1">
      <span className="text-sm whitespace-nowrap">{label}</span>
      <span className="h-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}
