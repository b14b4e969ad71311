import type { ReactNode } from "react";
import { formatDuration } from "@/components/disputes/describe-dispute";
import { Term } from "@/components/site/term";
import {
  formatAmount,
  formatDay,
  formatPercent,
  formatRank,
  formatScore,
  formatSuccessRate,
  formatUsdc,
} from "@/components/ui/format";
import { Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import { EVIDENCE_LEVELS, type EvidenceLevel } from "@/server/explorer/risk/schema";
import type { PastJobs, WalletProfile } from "@/server/explorer/schema";
import { labelCategory } from "@/server/lib/category-name";
import { EVIDENCE_LABELS, POLICY } from "@/server/reputation/policy";
import { TierMark } from "./agent-marks";

interface Props {
  profile: Omit<WalletProfile, "agent">;
  past: PastJobs;
  /** Points since 30 days ago; null if the first score is more recent. */
  monthChange: number | null;
}

/** From how many points on a fall is emphasized. */
const LARGE_FALL = 5;

/** Shows the score of an agent with jobs, its tier and evidence, and the key figures behind it. */
export function ScoreSummary({ profile, past, monthChange }: Props) {
  const { reputation, risk } = profile;
  const { totalOutcomes, confirmedOutcomes, tier, score, scoreDay } = reputation;
  const isDangerous = risk.level === "danger";
  return (
    <div className="grid content-start gap-4">
      <div>
        <h2 className="sr-only">Score</h2>
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span
            className={`font-serif text-6xl leading-none font-semibold ${isDangerous ? "text-muted" : ""}`}
          >
            {formatScore(score)}
          </span>
          <span className="text-sm text-muted">of 100</span>
        </p>
        <p className="mt-3 flex flex-wrap items-baseline gap-x-5 gap-y-1.5 text-sm lg:grid">
          {/* A tier is no praise beside a warning of danger. */}
          <span className={isDangerous ? "text-muted grayscale" : "font-medium"}>
            <TierMark tier={tier} />
            {tier === "NEWCOMER" && (
              <span className="font-normal text-muted">: below {POLICY.trustedFrom}</span>
            )}
          </span>
          <MonthChange points={monthChange} />
        </p>
      </div>
      <dl className="grid grid-cols-3 gap-x-4 gap-y-2.5 text-sm lg:grid-cols-1 lg:gap-y-1.5">
        {[...listFigures(profile), ...listTerms(past)].map(([label, value]) => (
          <div
            key={label}
            className="flex flex-col gap-x-4 lg:flex-row lg:justify-between lg:border-b lg:border-line lg:pb-1.5"
          >
            <dt className="flex min-h-6 items-center text-muted max-lg:text-xs">
              <Term>{label}</Term>
            </dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-muted">
        Score as of {formatDay(scoreDay)}
        {totalOutcomes > confirmedOutcomes && (
          <span className="max-lg:hidden">. Rates cover counted jobs only.</span>
        )}
      </p>
    </div>
  );
}

/** Lists the figures behind the score of an agent with jobs; those of its agreements last. */
export function listFigures(
  profile: Props["profile"],
): (readonly [label: string, value: ReactNode])[] {
  const { walletAddress, reputation, evidence, rank, confirmedClients, agreements } = profile;
  const { totalOutcomes, confirmedOutcomes, disputeRate } = reputation;
  // Without confirmed jobs there is no rate.
  const hasRates = confirmedOutcomes > 0;
  const place = formatRank(rank, reputation.score);
  const { agreed, outcomes } = agreements;
  return [
    ["Evidence", <EvidenceMark key="evidence" evidence={evidence} />],
    [
      "Rank",
      rank && reputation.score ? (
        <TextLink key="rank" href={getLeaderboardUrl(rank, walletAddress)}>
          {place}
        </TextLink>
      ) : (
        place
      ),
    ],
    ["Counted jobs", `${formatAmount(confirmedOutcomes)} of ${formatAmount(totalOutcomes)}`],
    ["Success rate", hasRates ? describeSuccess(reputation) : "–"],
    ["Dispute rate", hasRates ? formatPercent(disputeRate) : "–"],
    ["Paying clients", formatAmount(confirmedClients)],
    ...(agreed > 0 ? ([["Terms signed by both", formatPercent(agreed / outcomes)]] as const) : []),
  ];
}

/** Lists what clients paid for a job, and how long agreed ones took. */
function listTerms({ prices, delivery }: PastJobs): [label: string, value: string][] {
  return [
    ...(prices ? ([["Price of a job", formatPrices(prices)]] as [string, string][]) : []),
    ...(delivery
      ? ([["Time to deliver", formatDuration(delivery.medianSeconds * 1_000)]] as [
          string,
          string,
        ][])
      : []),
  ];
}

/** Returns what most jobs were paid, such as `18.00 to 98.00 USDC`. */
export function formatPrices({ lowUsdc, highUsdc }: NonNullable<PastJobs["prices"]>): string {
  const high = formatUsdc(highUsdc);
  return lowUsdc === highUsdc ? high : `${formatUsdc(lowUsdc).replace(" USDC", "")} to ${high}`;
}

export const describeSuccess = (of: WalletProfile["reputation"]) =>
  formatSuccessRate(of.assessedSuccessRate, of.assessedOutcomes, of.confirmedOutcomes);

const LEADERBOARD_ROWS = 25;

/** Returns the URL of the agent's row on the leaderboard. */
function getLeaderboardUrl(rank: number, wallet: string): string {
  const page = Math.ceil(rank / LEADERBOARD_ROWS);
  return `/leaderboard${page > 1 ? `?page=${page}` : ""}#${wallet}`;
}

/** Shows the points since 30 days ago, a large fall emphasized. */
function MonthChange({ points }: { points: number | null }) {
  if (points === null) return <span className="text-muted">First score within 30 days</span>;
  return (
    <span>
      <span className={points <= -LARGE_FALL ? "text-lg font-semibold" : "font-medium"}>
        <Points points={points} />
      </span>{" "}
      <span className="text-muted">in 30 days</span>
    </span>
  );
}

/** Shows an amount of evidence by name and by the number of filled dots. */
const EvidenceMark = ({ evidence }: { evidence: EvidenceLevel }) => (
  <span className={`evidence-${EVIDENCE_LEVELS.indexOf(evidence)}`}>
    {EVIDENCE_LABELS[evidence]}
  </span>
);

/** Lists the score in each category, the best first, linked to the category's leaderboard. */
export function CategoryScores({ scores }: { scores: Record<string, number> }) {
  const categories = Object.entries(scores).sort(([, a], [, b]) => b - a);
  return (
    <ul className="grid content-start gap-1.5">
      <li className="text-sm text-muted">Score by category</li>
      {categories.map(([category, score]) => (
        <li key={category} className="flex justify-between gap-4">
          <TextLink href={`/leaderboard/${category}`} className="decoration-line">
            {labelCategory(category)}
          </TextLink>
          <span className="font-medium">{formatScore(score)}</span>
        </li>
      ))}
    </ul>
  );
}
