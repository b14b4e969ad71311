import type { ReactNode } from "react";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatScore, shortenHex } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { TextLink } from "@/components/ui/text-link";
import type { SearchResults } from "@/server/explorer/agent-list/schema";

interface Props {
  q: string;
  agents: SearchResults["agents"]["content"];
}

/** Returns the wallet of the agent that a search means: the only one of that name, or the only one found. */
export function findMatch(q: string, { content, isExact }: SearchResults["agents"]): string | null {
  const named = content.filter(({ name }) => name.toLowerCase() === q.toLowerCase());
  const [agent, other] = named.length > 0 || !isExact ? named : content;
  return agent && !other ? agent.walletAddress : null;
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
    <ul tabIndex={-1} aria-label="Agents to verify" className="mt-3 divide-y divide-line">
      {agents.map(({ walletAddress, name, score }) => (
        <li key={walletAddress}>
          <a
            href={`/verify?agent=${walletAddress}`}
            className="-mx-2 flex items-baseline gap-3 rounded-md px-2 py-2.5 hover:bg-sunken"
          >
            <span className="min-w-0 flex-1 truncate font-medium text-accent underline underline-offset-2">
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
  [
    "Reasons are unchanged",
    "Each verdict's reasons match the fingerprint (hash) that was put on chain.",
  ],
  ["Agreements are signed", "Both wallets signed the terms of each job under an agreement."],
  ["The score follows", "Score, tier, counts and rates, recomputed with the published formula."],
] as const;

const UNPROVEN = [
  [
    "That verdicts are right",
    <>
      The ledger says what <TextLink href="/judge">the judge</TextLink> decided, and why.
    </>,
  ],
  [
    "Who the known clients are",
    <>
      The operator <TextLink href="/anchors">chooses them</TextLink>. The result has the score
      without them, too.
    </>,
  ],
  [
    "Work signed but not yet judged",
    "How much of an agent's limit it takes up is known to this service alone.",
  ],
  [
    "That the check is honest",
    "Its code, the contract's address and the node come from this service: enter a node of your own, or run the command in a checkout.",
  ],
] as const;

/** Lists what a check covers, ticked once one on the same page found it (`data-agreed`), and what it can't show. */
export function Checks() {
  return (
    <>
      <section>
        <h2 className="mb-4 text-xl font-semibold">What is checked</h2>
        <Points points={CHECKS}>
          <Icon
            path="M10 5.5a4.5 4.5 0 110 9 4.5 4.5 0 010-9z"
            className="size-5 text-muted group-has-data-agreed/check:hidden"
          />
          <Icon
            path="M4.5 10.5l3.5 3.5 7.5-8"
            className="hidden size-5 text-good group-has-data-agreed/check:block"
            strokeWidth={2}
          />
        </Points>
      </section>
      <section>
        <h2 className="mb-4 text-xl font-semibold">What this does not prove</h2>
        <Points points={UNPROVEN}>
          <Icon path="M5 10h10" className="size-5 text-muted" strokeWidth={2} />
        </Points>
      </section>
    </>
  );
}

interface PointsProps {
  points: readonly (readonly [title: string, text: ReactNode])[];
  /** The icon of each. */
  children: ReactNode;
}

function Points({ points, children }: PointsProps) {
  return (
    <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      {points.map(([title, text]) => (
        <li key={title} className="flex gap-3">
          <span className="mt-0.5 shrink-0">{children}</span>
          <div>
            <p className="font-medium">{title}</p>
            <p className="text-sm text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
