"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { formatDateTime } from "@/components/ui/format";
import { formatDuration } from "./describe-dispute";

/** Refreshes the page periodically while it is visible. */
export function AutoRefresh({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}

/** Counts down to a time by the second; shows the time itself until hydrated. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={until} role="timer" title={formatDateTime(until)}>
      {now === null ? formatDateTime(until) : `${formatDuration(Date.parse(until) - now)} left`}
    </time>
  );
}
