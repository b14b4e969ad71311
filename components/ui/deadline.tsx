"use client";

import { useEffect, useState } from "react";
import { formatDateTime, formatDay, formatTimeLeft } from "./format";

/** Shows how long it is until a time, `6 days left`, by the second; then the day. Its title has the time. */
export function Deadline({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const leftMs = Date.parse(at) - now;
  return (
    // The server rendered it a moment earlier.
    <time dateTime={at} role="timer" title={formatDateTime(at)} suppressHydrationWarning>
      {leftMs > 0 ? formatTimeLeft(leftMs) : formatDay(at)}
    </time>
  );
}
