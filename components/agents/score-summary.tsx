import type { ReactNode } from "react";
import { capitalize, formatAmount, formatDay, formatPercent } from "@/components/ui/format";
import { Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import type { EvidenceLevel, WalletProfile } from "@/server/explorer/schema";
import { POLICY } from "@/server/reputation/policy";
import { TierMark } from "./agent-marks";

interface Props {
  profile: Pick<WalletProfile, "reputation" | "evidence" | "rank">;
  /** Points since 30 days ago; null if the first score is more recent. */
  monthChange: number | null;
  clients: number;
}

/** From how many points on a fall is emphasized. */
const LARGE_FALL = 5;

/** Shows the score with its tier and evidence, and the key figures behind it. */
export function ScoreSummary({ profile, monthChange, clients }: Props) {
  const { reputation, evidence, rank } = profile;
  // Without outcomes there is no score, without confirmed ones no rate.
  const { totalOutcomes, confirmedOutcomes, tier } = reputation;
  const isNew = totalOutcomes === 0;
  const hasRates = confirmedOutcomes > 0;
  const figures = [
    ["Confirmed jobs", `${formatAmount(confirmedOutcomes)} of ${formatAmount(totalOutcomes)}`],
    ["Success rate", hasRates ? formatPercent(reputation.successRate) : "–"],
    ["Dispute rate", hasRates ? formatPercent(reputation.disputeRate) : "–"],
    ["Clients", formatAmount(clients)],
  ] as const;
  return (
    <div className="grid content-start gap-4">
      <div>
        <h2 className="sr-only">Score</h2>
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-serif text-6xl leading-none font-semibold">
            {isNew ? "New" : reputation.score.toFixed(2)}
          </span>
          {!isNew && <span className="text-sm text-muted">of 100</span>}
        </p>
        {!isNew && (
          <p className="mt-2 text-sm">
            {monthChange === null ? (
              <span className="text-muted">First score less than 30 days ago</span>
            ) : (
              <>
                <span
                  className={monthChange <= -LARGE_FALL ? "text-lg font-semibold" : "font-medium"}
                >
                  <Points points={monthChange} />
                </span>{" "}
                <span className="text-muted">in 30 days</span>
              </>
            )}
          </p>
        )}
      </div>
      <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2 lg:grid-cols-1">
        <Line label="Tier">
          <TierMark tier={tier} />
          {tier === "NEWCOMER" && <span className="text-muted">: below {POLICY.trustedFrom}</span>}
        </Line>
        <Line label="Evidence">
          <EvidenceMark evidence={evidence} />
        </Line>
        {rank !== null && (
          <Line label="Rank">
            <TextLink href="/leaderboard" prefetch={false}>
              #{formatAmount(rank)}
            </TextLink>
          </Line>
        )}
        {figures.map(([label, value]) => (
          <Line key={label} label={label}>
            {value}
          </Line>
        ))}
      </dl>
      <p className="text-xs text-muted">
        Score as of {formatDay(reputation.scoreDay)}
        {totalOutcomes > confirmedOutcomes &&
          ". Rates cover confirmed jobs: submitted by the agent or paid, and not refunded."}
      </p>
    </div>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b border-line pb-1.5">
      <dt className="text-muted">{label}</dt>
      <dd className="text-right font-medium">{children}</dd>
    </div>
  );
}

/** Number of filled dots. */
const DOTS: Record<EvidenceLevel, number> = { none: 0, limited: 1, moderate: 2, strong: 3 };

/** Shows an amount of evidence by name and by the number of filled dots. */
function EvidenceMark({ evidence }: { evidence: EvidenceLevel }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg viewBox="0 0 26 8" className="h-2 w-6.5" aria-hidden="true">
        {[1, 2, 3].map((dot) => (
          <circle
            key={dot}
            cx={dot * 9 - 5}
            cy="4"
            r="3"
            className={dot <= DOTS[evidence] ? "fill-ink stroke-ink" : "fill-none stroke-muted"}
          />
        ))}
      </svg>
      {capitalize(evidence)}
    </span>
  );
}
