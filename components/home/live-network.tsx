"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { queryProcedure } from "@/components/query-procedure";
import { formatAmount } from "@/components/ui/format";
import { usePolling } from "@/components/ui/use-polling";
import type { SiteStats } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { LatestVerdicts } from "./latest-verdicts";
import { NetworkCard } from "./network-card";
import { TierGuide } from "./tier-guide";

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
  const news = useNewVerdicts(data);
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
            <p className="flex items-center gap-2 text-sm text-muted">
              <span
                aria-hidden="true"
                className={`size-2 rounded-full ${isError ? "bg-muted" : "bg-good"}`}
              />
              {isError ? "Reconnecting…" : "Live"}
            </p>
          </div>
          <LatestVerdicts verdicts={data.newest} fresh={news.fresh} now={at} />
          <p aria-live="polite" className="sr-only">
            {news.announcement}
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

/** Returns the verdicts that arrived while the page was open, and a screen reader announcement. */
function useNewVerdicts({ newest }: SiteStats) {
  const seen = useRef(new Set(newest.map(({ outcomeId }) => outcomeId)));
  const [news, setNews] = useState({ fresh: new Set<string>(), announcement: "" });
  useEffect(() => {
    const fresh = newest.filter(({ outcomeId }) => !seen.current.has(outcomeId));
    const [last] = fresh;
    if (!last) return;
    for (const { outcomeId } of fresh) seen.current.add(outcomeId);
    setNews((before) => ({
      fresh: new Set([...before.fresh, ...fresh.map(({ outcomeId }) => outcomeId)]),
      announcement: `New verdict: ${last.finalVerdict.toLowerCase()} for ${last.contractor.name === null ? "an unregistered agent" : isolateText(last.contractor.name)}${fresh.length > 1 ? `, and ${formatAmount(fresh.length - 1)} more` : ""}.`,
    }));
  }, [newest]);
  return news;
}
