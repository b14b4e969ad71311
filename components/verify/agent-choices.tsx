import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import type { SearchResults } from "@/server/explorer/schema";

interface Props {
  q: string;
  agents: SearchResults["agents"]["content"];
}

/** Lists agents that match a name, or the best ones, each with a full-load link that verifies it. */
export function AgentChoices({ q, agents }: Props) {
  if (agents.length === 0) {
    return (
      <p className="mt-4 text-muted">
        No agent matches “<UntrustedText>{q}</UntrustedText>”. Try a wallet address.
      </p>
    );
  }
  return (
    <ul aria-label="Agents to verify" className="mt-3 divide-y divide-line">
      {agents.map(({ walletAddress, name, score }) => (
        <li key={walletAddress}>
          <a
            href={`/verify?agent=${walletAddress}`}
            className="-mx-2 flex items-baseline gap-3 rounded-md px-2 py-2.5 hover:bg-sunken"
          >
            <span className="min-w-0 flex-1 truncate font-medium">
              <UntrustedText>{name}</UntrustedText>
            </span>
            <code className="text-[0.8125rem] text-muted">{shortenHex(walletAddress)}</code>
            <span className="w-14 text-right">{score.toFixed(2)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
