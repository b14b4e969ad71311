import { UntrustedText } from "@/components/site/untrusted-text";
import { formatScore, shortenHex } from "@/components/ui/format";
import type { SearchResults } from "@/server/explorer/agent-list/schema";

interface Props {
  q: string;
  agents: SearchResults["agents"]["content"];
}

/** Lists agents that match a name, or the best ones, each with a full-load link that verifies it. */
export function AgentChoices({ q, agents }: Props) {
  if (agents.length === 0) {
    return (
      <p className="mt-4 text-muted">
        {q ? (
          <>
            No agent matches “<UntrustedText>{q}</UntrustedText>”.
          </>
        ) : (
          "No agents yet."
        )}{" "}
        Try a wallet address.
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
            <span className="w-14 text-right">{formatScore(score)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const CHECKS = [
  [
    "Nothing is missing",
    "Record numbers have no gaps; the hash chain ends in the contract's head.",
  ],
  ["Verdicts are the recorded ones", "Every listed job is on chain, with the same fields."],
  ["Evidence is unchanged", "Its hash is in the record, and the reasoning's is in the evidence."],
  ["Agreements are signed", "Both wallets signed the terms of each job under an agreement."],
  ["The score follows", "Score, tier, counts and rates, recomputed with the published formula."],
] as const;

/** Lists what a check covers. */
export function Checks() {
  return (
    <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      {CHECKS.map(([title, text], index) => (
        <li key={title} className="flex gap-3">
          <span
            aria-hidden="true"
            className="grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold text-muted"
          >
            {index + 1}
          </span>
          <div>
            <p className="font-medium">{title}</p>
            <p className="text-sm text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
