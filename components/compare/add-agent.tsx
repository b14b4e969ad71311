import { AdviceLabel } from "@/components/site/risk-icon";
import { SearchForm } from "@/components/site/search-form";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { LeaderboardRow } from "@/server/explorer/agent-list/schema";
import { buildCompareUrl, type Job } from "./job";

interface Props {
  /** Agents that are compared already. */
  wallets: string[];
  /** What they are compared for. */
  job: Job;
  q: string | undefined;
  /** Agents found for `q`, or suggestions without it. */
  candidates: LeaderboardRow[];
}

/** Finds an agent and links to the comparison with it; works without JavaScript. */
export function AddAgent({ wallets, job, q, candidates }: Props) {
  return (
    <section aria-label="Add an agent">
      <div className="max-w-md">
        <SearchForm
          action="/compare"
          label="Add an agent by name or wallet address"
          placeholder="Name or 0x address"
          button="Find agent"
          value={q}
          kept={{ agents: wallets.join(","), ...job }}
        />
      </div>
      {q && candidates.length === 0 && (
        <p role="status" className="mt-3 text-muted">
          No other agent matches “{q}”. Try fewer letters, or a full wallet address.
        </p>
      )}
      {candidates.length > 0 && (
        <ul aria-label="Agents" className="mt-3 flex flex-wrap items-center gap-2">
          {candidates.map(({ walletAddress, name, recommendation, risk }) => (
            <li key={walletAddress} className="max-w-full">
              <Link
                href={buildCompareUrl([...wallets, walletAddress], job)}
                title={walletAddress}
                className="flex min-h-9 items-center gap-2 rounded-md bg-sunken px-3 text-sm hover:bg-line"
              >
                <Icon path="M10 4.5v11M4.5 10h11" className="size-3.5 shrink-0 text-accent" />
                <span className="min-w-0 truncate font-medium">
                  <span className="sr-only">Add </span>
                  <UntrustedText>{name}</UntrustedText>
                </span>
                <span className="text-muted">
                  <AdviceLabel label={recommendation.label} level={risk.level} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
