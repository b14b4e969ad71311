"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { queryProcedure } from "@/components/query-procedure";
import { formatAmount } from "@/components/ui/format";
import { usePolling } from "@/components/ui/use-polling";
import type { Pulse } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { NewestVerdicts } from "./newest-verdicts";
import { PathOfAnOutcome } from "./path-of-an-outcome";

const POLL_MS = 3_000;
const fetchPulse = (signal: AbortSignal) => queryProcedure("explorer.pulse", undefined, signal);

interface Props {
  /** As it was when the page was made. */
  pulse: Pulse;
  /** When that was, ISO 8601. */
  now: string;
  /** What stands beside the path. */
  children: ReactNode;
}

/** Counts and verdicts as they are now; asks again every three seconds while it is looked at. */
export function LiveFigure({ pulse, now, children }: Props) {
  const { data = pulse, at = now, isError } = usePolling(fetchPulse, POLL_MS);
  const news = useNews(data);
  return (
    <>
      <div className="grid items-center gap-x-16 gap-y-10 lg:grid-cols-[7fr_5fr]">
        <div>{children}</div>
        <PathOfAnOutcome pulse={data} />
      </div>
      <section className="mt-14">
        <div className="flex items-baseline justify-between gap-4">
          <h2 className="text-2xl font-semibold">Newest verdicts</h2>
          <p className="flex items-center gap-2 text-sm text-muted">
            <span
              aria-hidden="true"
              className={`size-2 rounded-full ${isError ? "bg-muted" : "bg-good"}`}
            />
            {isError ? "Waits for the service" : "Live"}
          </p>
        </div>
        <NewestVerdicts verdicts={data.newest} fresh={news.fresh} now={at} />
        <p aria-live="polite" className="sr-only">
          {news.said}
        </p>
      </section>
    </>
  );
}

/** Which verdicts came while the page was open, and a sentence about the last of them. */
function useNews({ newest }: Pulse) {
  const seen = useRef(new Set(newest.map(({ outcomeId }) => outcomeId)));
  const [news, setNews] = useState({ fresh: new Set<string>(), said: "" });
  useEffect(() => {
    const fresh = newest.filter(({ outcomeId }) => !seen.current.has(outcomeId));
    const [last] = fresh;
    if (!last) return;
    for (const { outcomeId } of fresh) seen.current.add(outcomeId);
    setNews((before) => ({
      fresh: new Set([...before.fresh, ...fresh.map(({ outcomeId }) => outcomeId)]),
      said: `New verdict: ${last.finalVerdict.toLowerCase()} for ${last.contractor.name === null ? "an agent that is not registered" : isolateText(last.contractor.name)}${fresh.length > 1 ? `, and ${formatAmount(fresh.length - 1)} more` : ""}.`,
    }));
  }, [newest]);
  return news;
}
