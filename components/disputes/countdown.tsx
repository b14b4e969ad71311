"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { formatDateTime } from "@/components/ui/format";

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
      {now === null ? formatDateTime(until) : formatTimeLeft(Date.parse(until) - now)}
    </time>
  );
}

function formatTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [d, h, m] = [86_400, 3_600, 60];
  if (seconds >= 2 * d) return `${Math.round(seconds / d)} days left`;
  if (seconds >= h) return `${Math.floor(seconds / h)} h ${Math.floor((seconds % h) / m)} min left`;
  if (seconds >= m) return `${Math.floor(seconds / m)} min ${seconds % m} s left`;
  return `${seconds} s left`;
}
