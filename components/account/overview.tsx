import { AgentLink } from "@/components/agents/agent-link";
import { TierMark } from "@/components/agents/agent-marks";
import {
  formatAmount,
  formatCount,
  formatPercent,
  formatSuccessRate,
} from "@/components/ui/format";
import type { AgentProfile, Counterparties } from "@/server/explorer/schema";
import {
  CEILINGS,
  EVIDENCE_LABELS,
  NEXT_TIER_LIMITS,
  TIER_LABELS,
} from "@/server/reputation/policy";
import type { HistoryPage } from "@/server/reputation/schema";

/** Shows the agent's score and the figures behind it in one row; nothing before its first outcome. */
export function KeyFigures({ profile }: { profile: AgentProfile }) {
  const { reputation, evidence, rank } = profile;
  const { totalOutcomes, confirmedOutcomes, assessedSuccessRate, disputeRate } = reputation;
  if (totalOutcomes === 0) return null;
  const hasRates = confirmedOutcomes > 0;
  const figures = [
    ["Rank", rank === null ? "–" : `#${formatAmount(rank)}`],
    ["Evidence", EVIDENCE_LABELS[evidence]],
    ["Success rate", hasRates ? formatSuccessRate(assessedSuccessRate) : "–"],
    ["Counted jobs", `${formatAmount(confirmedOutcomes)} of ${formatAmount(totalOutcomes)}`],
    ["Dispute rate", hasRates ? formatPercent(disputeRate) : "–"],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-[1.6fr_repeat(5,1fr)]">
      <div className="max-sm:col-span-2">
        <dt className="text-sm text-muted">Score</dt>
        <dd className="mt-1 flex items-baseline gap-3">
          <span className="font-serif text-4xl leading-none font-semibold">
            {reputation.score.toFixed(2)}
          </span>
          <TierMark tier={reputation.tier} />
        </dd>
      </div>
      {figures.map(([label, value]) => (
        <div key={label} className="flex flex-col justify-between gap-1">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-serif text-xl leading-tight font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Next = NonNullable<HistoryPage["nextTier"]>;
type Way = Next["ways"][number];

/** Lists the ways to reach the next tier; each one suffices. */
export function NextTier({ next }: { next: Next }) {
  const { tier, ways, assumes } = next;
  return (
    <div className="grid gap-2">
      <p>
        <span className="font-medium">{TIER_LABELS[tier]}</span>{" "}
        {ways.length > 0
          ? "takes one of these:"
          : `is out of reach with ${NEXT_TIER_LIMITS.successes} more jobs within ${NEXT_TIER_LIMITS.days} days.`}
      </p>
      {ways.length > 0 && (
        <ul className="list-disc pl-5">
          {ways.map((way) => (
            <li key={way.by}>{describeWay(way)}</li>
          ))}
        </ul>
      )}
      {ways.length > 0 && ways.every(({ by }) => by === "anchored" || by === "time") && (
        <p className="text-sm text-muted">
          Scores above {CEILINGS.withoutAnchor} require an anchored job.
        </p>
      )}
      <p className="text-sm text-muted">
        Assumes {formatAmount(assumes.valueUsdc)} USDC jobs at {formatPercent(assumes.confidence)}{" "}
        confidence.
      </p>
    </div>
  );
}

const KINDS = {
  anchored: ["successful", "for a new anchor, a client the operator trusts"],
  paid: ["successful paid", "for a new client"],
  claimed: ["successful unconfirmed", "for a new client"],
} as const;

function describeWay({ by, successes, days }: Way): string {
  if (by === "time") return `${formatCount(days, "day")} without failures`;
  const [kind, client] = KINDS[by];
  const wait = days > 0 ? `, in ${formatCount(days, "day")} at the earliest` : "";
  const jobs = `${formatCount(successes, `${kind} job`)}${successes === 1 ? "" : ", each"}`;
  return `${jobs} ${client}${wait}`;
}

const MAX_SHOWN = 5;

/** Lists the clients with the most outcomes, and their shares; bars are relative to the largest. */
export function ClientShares({ clients }: { clients: Counterparties }) {
  const { outcomes, top } = clients;
  const most = Math.max(...top.map((client) => client.outcomes));
  return (
    <section aria-labelledby="clients">
      <h2 id="clients" className="flex items-baseline justify-between gap-4 text-xl font-semibold">
        Clients
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
