import { AgentLink } from "@/components/agents/agent-link";
import { formatAmount, formatPercent } from "@/components/ui/format";
import type { Counterparties } from "@/server/explorer/schema";

const MAX_SHOWN = 5;

/** Lists the clients with the most outcomes, and their shares; bars are relative to the largest. */
export function ClientShares({ clients }: { clients: Counterparties }) {
  const { requesters, outcomes, top } = clients;
  const most = Math.max(...top.map((client) => client.outcomes));
  return (
    <section aria-labelledby="clients">
      <h2 id="clients" className="flex items-baseline justify-between gap-4 text-xl font-semibold">
        Clients
        <span className="font-sans text-sm font-normal text-muted">{formatAmount(requesters)}</span>
      </h2>
      <ul className="mt-2 grid text-sm">
        {top.slice(0, MAX_SHOWN).map(({ walletAddress, name, isAnchor, outcomes: own }) => (
          <li
            key={walletAddress}
            className="grid min-h-9 grid-cols-[1fr_5rem_3rem] items-center gap-3"
          >
            <span className="min-w-0 truncate">
              <AgentLink wallet={walletAddress} name={name} />
              {isAnchor && <span className="text-muted"> anchor</span>}
            </span>
            <span
              className="h-1.5 rounded-full bg-accent"
              style={{ width: `${(100 * own) / most}%` }}
              aria-hidden="true"
            />
            <span className="text-right text-muted">{formatPercent(own / outcomes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
