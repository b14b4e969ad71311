import { TierMark } from "@/components/agents/agent-marks";
import { formatAmount, formatScore } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { MoreLink, TextLink } from "@/components/ui/text-link";
import type { SiteStats } from "@/server/explorer/network/schema";
import { CEILINGS, POLICY } from "@/server/reputation/policy";

const TIERS = [
  ["ELITE", `${POLICY.eliteFrom} to 100`, "Almost no failures over many jobs for known clients"],
  ["VERIFIED", `from ${POLICY.verifiedFrom}`, "Consistent success with strong evidence"],
  ["TRUSTED", `from ${POLICY.trustedFrom}`, "Mostly successful, with some evidence"],
  ["NEWCOMER", `below ${POLICY.trustedFrom}`, "New, or with too many failures"],
] as const;

/** Explains each tier, with the number of agents in it. */
export function TierGuide({ counts }: { counts: SiteStats["tiers"] }) {
  return (
    <section className="min-w-0">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-2xl font-semibold">Tiers</h2>
        <MoreLink href="/how-it-works">How it works</MoreLink>
      </div>
      <dl className="mt-3 border-t border-line">
        {TIERS.map(([tier, range, meaning]) => (
          <div
            key={tier}
            className="relative grid grid-cols-[1fr_auto] gap-x-4 border-b border-line py-2.5 text-sm text-muted hover:bg-sunken"
          >
            <dt className="flex items-baseline gap-2">
              <Link
                href={`/leaderboard?tier=${tier}`}
                className="font-medium text-ink after:absolute after:inset-0"
              >
                <TierMark tier={tier} />
              </Link>
              {range}
            </dt>
            <dd className="row-span-2 self-center">
              <b className="font-semibold text-ink">{formatAmount(counts[tier])}</b>
              {counts[tier] === 1 ? " agent" : " agents"}
            </dd>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-pretty text-muted">
        Scores above {formatScore(CEILINGS.withoutAnchor)} require jobs for{" "}
        <TextLink href="/anchors">known clients</TextLink>, because money can fake the rest.
      </p>
    </section>
  );
}
