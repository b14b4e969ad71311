"use client";

import { useEffect, useState } from "react";
import { formatDateTime } from "@/components/ui/format";
import { formatDuration } from "./describe-dispute";

/** Counts down to a time by the second. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // The server rendered it a moment earlier.
    <time dateTime={until} role="timer" title={formatDateTime(until)} suppressHydrationWarning>
      {`${formatDuration(Date.parse(until) - now)} left`}
    </time>
  );
}
