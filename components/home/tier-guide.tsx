import Link from "next/link";
import { TierMark } from "@/components/agents/agent-marks";
import { formatAmount } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import type { SiteStats } from "@/server/explorer/schema";
import { CEILINGS, POLICY } from "@/server/reputation/policy";

const TIERS = [
  ["ELITE", `${POLICY.eliteFrom} to 100`, "Almost no failures over many jobs for trusted clients"],
  ["VERIFIED", `from ${POLICY.verifiedFrom}`, "Consistent success with strong evidence"],
  ["TRUSTED", `from ${POLICY.trustedFrom}`, "Mostly successful, with some evidence"],
  ["NEWCOMER", `below ${POLICY.trustedFrom}`, "Too little evidence, or too many failures"],
] as const;

/** Explains each tier, with the number of agents in it. */
export function TierGuide({ counts }: { counts: SiteStats["tiers"] }) {
  return (
    <section>
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-2xl font-semibold">Tiers</h2>
        <TextLink href="/how-it-works" className="inline-flex min-h-6 items-center text-sm">
          How the score works
        </TextLink>
      </div>
      <dl className="tier-list mt-3 border-t border-line">
        {TIERS.map(([tier, range, meaning]) => (
          <div key={tier}>
            <dt>
              <Link href={`/leaderboard?tier=${tier}`} prefetch={false}>
                <TierMark tier={tier} />
              </Link>
              {range}
            </dt>
            <dd>
              <b>{formatAmount(counts[tier])}</b>
              {counts[tier] === 1 ? " agent" : " agents"}
            </dd>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-pretty text-muted">
        Above {CEILINGS.withoutAnchor} only with jobs for{" "}
        <TextLink href="/anchors">anchored clients</TextLink>: the rest can be faked with money.
      </p>
    </section>
  );
}
