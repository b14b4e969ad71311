"use client";

import { type ReactNode, useMemo } from "react";
import { LiveMark } from "@/components/network/list-heading";
import { getOutcomeKey, OutcomeTable } from "@/components/network/outcome-table";
import { queryProcedure } from "@/components/query-procedure";
import { formatAmount, formatCount, formatSuccessRate, formatValue } from "@/components/ui/format";
import { MoreLink } from "@/components/ui/text-link";
import { useNewKeys } from "@/components/ui/use-new-keys";
import { usePolling } from "@/components/ui/use-polling";
import type { NetworkStats, SiteStats } from "@/server/explorer/network/schema";

const POLL_MS = 3_000;
const fetchStats = (signal: AbortSignal) => queryProcedure("explorer.siteStats", undefined, signal);

interface Props {
  /** Values at render time. */
  initial: SiteStats;
  /** Render time, ISO 8601. */
  now: string;
  /** Beside the network's figures. */
  hero: ReactNode;
  /** Sums of all time. */
  total: NetworkStats["total"];
  /** Below the figures. */
  judge: ReactNode;
  /** Between the figures and the verdicts. */
  ranking: ReactNode;
  /** Beside the verdicts. */
  tiers: ReactNode;
}

/** Shows live counts and verdicts, polled every three seconds while the page is visible. */
export function LiveNetwork({ initial, now, hero, total, judge, ranking, tiers }: Props) {
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
      <div className="grid items-center gap-x-14 gap-y-8 lg:grid-cols-[6fr_5fr] lg:pt-6">
        <div className="min-w-0">{hero}</div>
        <NetworkCard stats={data} total={total}>
          {judge}
        </NetworkCard>
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
        {tiers}
      </div>
    </>
  );
}

interface CardProps {
  stats: SiteStats;
  total: NetworkStats["total"];
  children: ReactNode;
}

/** Shows what the network has done. */
function NetworkCard({ stats, total, children }: CardProps) {
  const { outcomes, scored } = stats;
  const { assessed, successes, paidUsdc } = total;
  return (
    <section className="rounded-xl border border-line bg-raised p-5 sm:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-xl font-semibold">The network</h2>
        <MoreLink href="/stats">Stats</MoreLink>
      </div>
      <dl className="mt-4 grid gap-x-6 gap-y-4 sm:grid-cols-[auto_auto_auto]">
        <Figure
          label="Jobs"
          value={formatAmount(outcomes)}
          note={`by ${formatCount(scored, "agent")}`}
        />
        <Figure label="Paid" value={formatValue(paidUsdc)} note="proven on chain" />
        <Figure
          label="Succeeded"
          value={assessed > 0 ? formatSuccessRate(successes / assessed) : "–"}
          note="of assessed jobs"
        />
      </dl>
      {children}
    </section>
  );
}

function Figure({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd>
        <span className="block font-serif text-2xl leading-tight font-semibold">{value}</span>{" "}
        <span className="block text-sm leading-tight text-muted">{note}</span>
      </dd>
    </div>
  );
}
