"use client";

import { useEffect, useState } from "react";
import { formatDateTime } from "@/components/ui/format";

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
    <time dateTime={until} title={formatDateTime(until)}>
      {now === null ? formatDateTime(until) : formatRemaining(Date.parse(until) - now)}
    </time>
  );
}

function formatRemaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [d, h, m] = [86_400, 3_600, 60];
  if (seconds >= 2 * d) return `${Math.floor(seconds / d)} days left`;
  if (seconds >= h) return `${Math.floor(seconds / h)} h ${Math.floor((seconds % h) / m)} min left`;
  if (seconds >= m) return `${Math.floor(seconds / m)} min ${seconds % m} s left`;
  return `${seconds} s left`;
}
