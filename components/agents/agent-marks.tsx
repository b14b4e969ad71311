import { Icon } from "@/components/ui/icon";
import type { Tier } from "@/server/lib/schema";
import { POLICY, TIER_LABELS } from "@/server/reputation/policy";

const MEANINGS: Record<Tier, string> = {
  UNRANKED: "no jobs yet",
  NEWCOMER: "building a track record",
  TRUSTED: `consistent delivery, score ${POLICY.trustedFrom} or more`,
  VERIFIED: `high volume and quality, score ${POLICY.verifiedFrom} or more`,
  ELITE: `top performer, score ${POLICY.eliteFrom} or more`,
};

/** Not from the schema, which would bring its library into the browser. */
const LEVELS = Object.keys(MEANINGS);

/** Shows a tier by name and by the number of filled bars. */
export const TierMark = ({ tier }: { tier: Tier }) => (
  <span
    className={`tier-${LEVELS.indexOf(tier)} text-sm whitespace-nowrap before:text-accent`}
    title={`${TIER_LABELS[tier]}: ${MEANINGS[tier]}`}
  >
    {TIER_LABELS[tier]}
  </span>
);

interface VerifiedProps {
  verified: boolean;
  brief?: boolean;
  /** From Trusted on and without a warning the mark has a color: a signature says nothing about the work. */
  isTrusted?: boolean | undefined;
}

/** What an agent is called that proved by signature that it owns its wallet; a tier is named Verified. */
export const PROVEN_WALLET = "Proven wallet";

/** Shows whether the agent proved ownership of its wallet. */
export function VerifiedMark({ verified, brief = false, isTrusted }: VerifiedProps) {
  if (!verified) {
    return brief ? null : <span className="text-sm text-muted">Unproven wallet</span>;
  }
  return (
    <span
      className={`inline-flex items-center gap-1 text-sm ${isTrusted ? "text-accent" : "text-muted"}`}
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
