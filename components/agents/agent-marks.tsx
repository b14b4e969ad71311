import { Icon } from "@/components/ui/icon";
import type { RiskAssessment } from "@/server/explorer/risk/schema";
import type { Tier } from "@/server/lib/schema";
import { POLICY, TIER_LABELS } from "@/server/reputation/policy";

const MEANINGS: Record<Tier, string> = {
  UNRANKED: "no jobs yet",
  NEWCOMER: "building a track record",
  TRUSTED: `consistent delivery, score ${POLICY.trustedFrom} or more`,
  VERIFIED: `high volume and quality, score ${POLICY.verifiedFrom} or more`,
  ELITE: `top performer, score ${POLICY.eliteFrom} or more`,
};

/** SVG paths of four rising bars. */
const BARS = [
  "M.5 11.5h3.6v4H.5z",
  "M5.5 7.9h3.6v7.6H5.5z",
  "M10.5 4.3h3.6v11.2h-3.6z",
  "M15.5.7h3.6v14.8h-3.6z",
];

/** Shows a tier by name and by the number of filled bars. */
export function TierMark({ tier, large = false }: { tier: Tier; large?: boolean }) {
  const level = Object.keys(MEANINGS).indexOf(tier);
  const label = TIER_LABELS[tier];
  return (
    <span
      className="inline-flex items-baseline gap-1.5 whitespace-nowrap"
      title={`${label}: ${MEANINGS[tier]}`}
    >
      <svg
        viewBox="0 0 20 16"
        className={`shrink-0 ${large ? "h-5.5 w-7" : "h-3.5 w-4.5"}`}
        aria-hidden="true"
      >
        <g strokeWidth="0.9" strokeLinejoin="round">
          <path d={BARS.slice(0, level).join("")} className="fill-accent stroke-accent" />
          <path
            d={BARS.slice(level).join("")}
            className="fill-transparent stroke-muted opacity-70"
          />
        </g>
      </svg>
      <span className={large ? "text-xl font-medium" : "text-sm"}>{label}</span>
    </span>
  );
}

interface VerifiedProps {
  verified: boolean;
  brief?: boolean;
  /** With a warning the mark has no color: a signature says nothing about the work. */
  risk?: RiskAssessment["level"] | undefined;
}

/** What an agent is called that proved by signature that it owns its wallet; a tier is named Verified. */
export const PROVEN_WALLET = "Proven wallet";

/** Shows whether the agent proved ownership of its wallet. */
export function VerifiedMark({ verified, brief = false, risk = "none" }: VerifiedProps) {
  if (!verified) {
    return brief ? null : <span className="text-sm text-muted">Unproven wallet</span>;
  }
  return (
    <span
      className={`inline-flex items-center gap-1 text-sm ${risk === "none" ? "text-accent" : "text-muted"}`}
      title="Proven by signature"
    >
      <Icon
        path="M8 1.2l5.6 2.1v4.3c0 3.4-2.3 6-5.6 7.2-3.3-1.2-5.6-3.8-5.6-7.2V3.3zM5.4 8l1.9 1.9 3.4-3.8"
        className="size-3.5"
        strokeWidth={1.35}
        box={16}
      />
      <span className={brief ? "sr-only" : ""}>{PROVEN_WALLET}</span>
    </span>
  );
}
