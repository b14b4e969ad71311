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
  ["Nothing is missing", "No record is left out; the hash chain is whole."],
  ["Verdicts are the recorded ones", "Every listed job is on chain, with the same fields."],
  ["Reasons are unchanged", "They match their fingerprint (hash) on chain."],
  ["Agreements are signed", "Both wallets signed the terms."],
  ["The score follows", "Recomputed with the published formula."],
] as const;

const UNPROVEN = [
  [
    "That verdicts are right",
    <>
      <TextLink href="/judge">The judge</TextLink> decides them.
    </>,
  ],
  [
    "Who the known clients are",
    <>
      The operator <TextLink href="/anchors">chooses them</TextLink>.
    </>,
  ],
  ["Work signed but not yet judged", "Only this service knows how much there is."],
  ["That the check is honest", "Enter a node of your own, or run the command."],
] as const;

/** Lists what a check covers, ticked once one on the same page found it (`data-agreed`), and what it can't show. */
export function Checks() {
  return (
    <div className="grid gap-8 sm:grid-cols-2">
      <Points title="What is checked" points={CHECKS}>
        <Icon
          path="M4.5 10.5l3.5 3.5 7.5-8"
          className="invisible size-5 text-good group-has-data-agreed/check:visible"
          strokeWidth={2}
        />
      </Points>
      <Points title="What this does not prove" points={UNPROVEN}>
        <Icon path="M5 10h10" className="size-5 text-muted" strokeWidth={2} />
      </Points>
    </div>
  );
}

interface PointsProps {
  title: string;
  points: readonly (readonly [title: string, text: ReactNode])[];
  /** The icon of each. */
  children: ReactNode;
}

function Points({ title, points, children }: PointsProps) {
  return (
    <section>
      <h2 className="mb-3 text-xl font-semibold">{title}</h2>
      <ul className="grid gap-y-3">
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
    </section>
  );
}
