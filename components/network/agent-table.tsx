import Link from "next/link";
import { TierMark, VerifiedMark } from "@/components/agents/agent-marks";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAmount, formatDay } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import type { ListedAgent } from "@/server/explorer/schema";
import { HeadRow } from "./head-row";
import { Age } from "./outcome-table";
import { CELL, COVER, ROW } from "./row";

const COLUMNS = [
  ["Agent", ""],
  ["Categories", "w-44 max-lg:hidden"],
  ["Score", "w-20 text-right max-md:pr-0"],
  ["Tier", "w-28 max-md:hidden"],
  ["Warnings", "w-56 max-lg:hidden"],
  ["Outcomes", "w-24 text-right max-md:hidden"],
  ["Last job", "w-28 text-right max-md:hidden"],
  ["Registered", "w-28 text-right max-md:hidden"],
] as const;

/** Lists registered agents; on phones in two lines each. */
export function AgentTable({ agents, now }: { agents: ListedAgent[]; now: string }) {
  return (
    <table className="w-full table-fixed border-collapse text-left">
      <caption className="sr-only">Registered agents</caption>
      <thead>
        <HeadRow columns={COLUMNS} />
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.agentId} className={ROW}>
            <th scope="row" className="py-2 pr-4 font-normal md:h-11 md:py-1">
              <span className="flex items-center gap-2">
                <Link
                  href={`/agents/${agent.walletAddress}`}
                  prefetch={false}
                  title={agent.walletAddress}
                  className={`${COVER} truncate font-medium`}
                >
                  <UntrustedText>{agent.name}</UntrustedText>
                </Link>
                <VerifiedMark verified={agent.walletVerified} brief />
              </span>
              <span className="mt-0.5 flex items-center gap-3 text-sm text-muted md:hidden">
                {agent.risk.level === "none" ? (
                  <span className="truncate">{agent.categories.join(", ")}</span>
                ) : (
                  <Warning agent={agent} />
                )}
              </span>
            </th>
            <td className={`${CELL} truncate text-sm text-muted max-lg:hidden`}>
              {agent.categories.join(", ")}
            </td>
            <td className="pr-4 text-right font-medium max-md:pr-0">
              {agent.tier === "UNRANKED" ? (
                <span className="text-muted">–</span>
              ) : (
                agent.score.toFixed(2)
              )}
            </td>
            <td className={CELL}>
              <TierMark tier={agent.tier} />
            </td>
            <td className={`${CELL} max-lg:hidden`}>
              <Warning agent={agent} />
            </td>
            <td className={`${CELL} text-right`}>{formatAmount(agent.totalOutcomes)}</td>
            <td className={`${CELL} text-right`}>
              {agent.lastActive && <Age at={agent.lastActive} now={now} />}
            </td>
            <td className={`${CELL} text-right text-sm text-muted`}>
              <time dateTime={agent.registeredAt}>{formatDay(agent.registeredAt)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const TONES = { danger: "text-bad", caution: "text-notice-ink", none: "text-muted" } as const;

/** Shows the most serious warning by shape and words. */
function Warning({ agent: { risk } }: { agent: ListedAgent }) {
  const [worst] = risk.flags;
  if (!worst) return null;
  return (
    <span className={`flex min-w-0 items-center gap-1.5 text-sm ${TONES[risk.level]}`}>
      {risk.level !== "none" && (
        <Icon
          path={
            risk.level === "danger"
              ? "M10 3l7.5 13.5h-15zM10 8.2v4M10 14.3v.1"
              : "M10 2.8a7.2 7.2 0 100 14.4 7.2 7.2 0 000-14.4zM10 6.5v4.5M10 13.5v.1"
          }
          className="size-4 shrink-0"
          strokeWidth={1.7}
        />
      )}
      <span className="truncate" title={worst.detail}>
        {worst.title}
      </span>
    </span>
  );
}
