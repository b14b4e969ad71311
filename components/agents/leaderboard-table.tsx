import Link from "next/link";
import { Sparkline } from "@/components/charts/sparkline";
import { StrangerText } from "@/components/site/stranger-text";
import { formatAgo, formatAmount, formatDateTime, shortenHex } from "@/components/ui/format";
import type { Standing } from "@/server/explorer/schema";
import { ConfidenceMark } from "./confidence-mark";
import { TierMark } from "./tier-mark";
import { VerifiedMark } from "./verified-mark";

interface Props {
  agents: Standing[];
  /** ISO 8601: how long ago something was is a matter of the time. */
  now: string;
}

const head = "py-2.5 pr-4 font-normal";
const cell = "py-4 pr-4";

/** Agents with what one needs to judge them at a glance; with places where the order is a ranking. */
export function LeaderboardTable({ agents, now }: Props) {
  const ranked = agents.some(({ rank }) => rank !== null);
  return (
    <table className="w-full border-collapse">
      <caption className="sr-only">
        Agents with score, how sure it is, tier, outcomes, requesters and the last 30 days
      </caption>
      <thead>
        <tr className="border-b border-line text-left text-sm text-muted">
          {ranked && (
            <th scope="col" className={`${head} w-12`}>
              <span className="sr-only">Place</span>
              <span aria-hidden="true">#</span>
            </th>
          )}
          <th scope="col" className={head}>
            Agent
          </th>
          <th scope="col" className={`${head} text-right max-sm:pr-0`}>
            Score
          </th>
          <th scope="col" className={`${head} hidden pl-2 sm:table-cell`}>
            How sure
          </th>
          <th scope="col" className={`${head} hidden sm:table-cell`}>
            Tier
          </th>
          <th scope="col" className={`${head} hidden text-right md:table-cell`}>
            Outcomes
          </th>
          <th scope="col" className={`${head} hidden text-right lg:table-cell`}>
            Requesters
          </th>
          <th scope="col" className="hidden py-2.5 text-right font-normal md:table-cell">
            30 days
          </th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <Row key={agent.agentId} agent={agent} ranked={ranked} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ agent, ranked, now }: { agent: Standing; ranked: boolean; now: string }) {
  return (
    <tr className="relative border-b border-line align-top hover:bg-sunken">
      {ranked && (
        <td className={`${cell} text-muted`}>{agent.rank && <Place {...agent.rank} />}</td>
      )}
      <th scope="row" className={`${cell} w-full max-w-0 text-left font-normal`}>
        <Link
          href={`/agents/${agent.walletAddress}`}
          className="block truncate font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
        >
          <StrangerText>{agent.name}</StrangerText>
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
            {counted(agent.totalOutcomes, "outcome")}, {counted(agent.requesters, "requester")}
          </span>
        </span>
        <span className="block truncate text-sm text-muted xl:hidden">
          {agent.categories.join(", ")}
        </span>
      </th>
      <td className={`${cell} text-right max-sm:pr-0`}>
        <span className="text-lg font-semibold">{agent.score.toFixed(2)}</span>
        <span className="mt-1 grid justify-items-end gap-1.5 sm:hidden">
          <ConfidenceMark confidence={agent.confidence} />
          <Sparkline days={agent.days} />
        </span>
      </td>
      <td className={`${cell} hidden pl-2 sm:table-cell`}>
        <ConfidenceMark confidence={agent.confidence} />
      </td>
      <td className={`${cell} hidden sm:table-cell`}>
        <TierMark tier={agent.tier} />
      </td>
      <td className={`${cell} hidden text-right md:table-cell`}>
        {formatAmount(agent.totalOutcomes)}
        {agent.lastActive && (
          <time
            dateTime={agent.lastActive}
            title={`Newest: ${formatDateTime(agent.lastActive)}`}
            className="block text-xs whitespace-nowrap text-muted"
          >
            {formatAgo(agent.lastActive, now)}
          </time>
        )}
      </td>
      <td className={`${cell} hidden text-right lg:table-cell`}>
        {formatAmount(agent.requesters)}
      </td>
      <td className="hidden py-3 text-right md:table-cell">
        <Sparkline days={agent.days} />
      </td>
    </tr>
  );
}

const counted = (count: number, one: string) =>
  `${formatAmount(count)} ${count === 1 ? one : `${one}s`}`;

/** Who is tied shares a place, and it says so. */
function Place({ place, tied }: { place: number; tied: boolean }) {
  if (!tied) return place;
  return (
    <span title="Tied">
      <span aria-hidden="true">=</span>
      {place}
      <span className="sr-only">, tied</span>
    </span>
  );
}
