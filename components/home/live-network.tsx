"use client";

import { type ReactNode, useMemo } from "react";
import { TierMark } from "@/components/agents/agent-marks";
import { LiveMark } from "@/components/network/list-heading";
import { getOutcomeKey, OutcomeTable } from "@/components/network/outcome-table";
import { queryProcedure } from "@/components/query-procedure";
import { formatAmount, formatCount, formatScore } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { MoreLink, TextLink } from "@/components/ui/text-link";
import { useNewKeys } from "@/components/ui/use-new-keys";
import { usePolling } from "@/components/ui/use-polling";
import type { SiteStats } from "@/server/explorer/network/schema";
import { CEILINGS, POLICY } from "@/server/reputation/policy";

const POLL_MS = 3_000;
const fetchStats = (signal: AbortSignal) => queryProcedure("explorer.siteStats", undefined, signal);

interface Props {
  /** Values at render time. */
  initial: SiteStats;
  /** Render time, ISO 8601. */
  now: string;
  /** Beside the network's figures. */
  hero: ReactNode;
  /** Below the live figures. */
  chart: ReactNode;
  /** Between the figures and the verdicts. */
  ranking: ReactNode;
  /** Beside the verdicts, below the tiers. */
  judge: ReactNode;
}

/** Shows live counts and verdicts, polled every three seconds while the page is visible. */
export function LiveNetwork({ initial, now, hero, chart, ranking, judge }: Props) {
  const { data = initial, at = now, isError } = usePolling(fetchStats, POLL_MS);
  const verdicts = useMemo(
    () =>
      data.newest.map(({ byBuiltin, simulated, ...verdict }) => ({
        ...verdict,
        note: byBuiltin && !simulated && "automated checks",
      })),
    [data],
  );
  const fresh = useNewKeys(useMemo(() => verdicts.map(getOutcomeKey), [verdicts]));
  return (
    <>
      <div className="grid items-center gap-x-14 gap-y-8 lg:grid-cols-[6fr_5fr]">
        <div className="min-w-0">{hero}</div>
        <NetworkCard stats={data}>{chart}</NetworkCard>
      </div>
      {ranking}
      <div className="mt-14 grid gap-x-14 gap-y-12 lg:grid-cols-[6fr_5fr]">
        <section className="min-w-0">
          <div className="flex items-baseline justify-between gap-4">
            <h2 className="text-2xl font-semibold">Latest verdicts</h2>
            <LiveMark isLive={!isError} />
          </div>
          {verdicts.length > 0 ? (
            <OutcomeTable outcomes={verdicts} fresh={fresh} now={at} isNarrow />
          ) : (
            <p className="mt-4 rounded-lg border border-dashed border-line px-6 py-8 text-center text-muted">
              No verdicts yet. The first appears here seconds after a job is submitted through the
              API.
            </p>
          )}
          <p aria-live="polite" className="sr-only">
            {fresh.size > 0 && formatCount(fresh.size, "new verdict")}
          </p>
        </section>
        <div className="min-w-0">
          <TierGuide counts={data.tiers} />
          {judge}
        </div>
      </div>
    </>
  );
}

/** Shows the state of the network: live figures above a chart. */
function NetworkCard({ stats, children }: { stats: SiteStats; children: ReactNode }) {
  const { outcomes, waiting, scored, agents, disputes } = stats;
  return (
    <section className="rounded-xl border border-line bg-raised p-5 sm:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-xl font-semibold">The network</h2>
        <MoreLink href="/stats">Stats</MoreLink>
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
        <Figure label="Submitted" value={outcomes} note="in all" />
        <Figure label="In progress" value={waiting} note="judged now" />
        <Figure label="Scored" value={scored} note={`of ${formatAmount(agents)} agents`} />
        <Figure label="Disputes" value={disputes} note="decided in all" />
      </dl>
      {children}
    </section>
  );
}

function Figure({ label, value, note }: { label: string; value: number; note: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd>
        <span className="block font-serif text-2xl leading-tight font-semibold">
          {formatAmount(value)}
        </span>{" "}
        <span className="block text-sm leading-tight text-muted">{note}</span>
      </dd>
    </div>
  );
}

const TIERS = [
  ["ELITE", `${POLICY.eliteFrom} to 100`, "Almost no failures over many jobs for known clients"],
  ["VERIFIED", `from ${POLICY.verifiedFrom}`, "Consistent success with strong evidence"],
  ["TRUSTED", `from ${POLICY.trustedFrom}`, "Mostly successful, with some evidence"],
  ["NEWCOMER", `below ${POLICY.trustedFrom}`, "New, or with too many failures"],
] as const;

/** Explains each tier, with the number of agents in it. */
function TierGuide({ counts }: { counts: SiteStats["tiers"] }) {
  return (
    <section>
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
