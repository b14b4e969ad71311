"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

/** Counts down from the server's remaining time, independent of the local clock. */
export function TimeLeft({ leftMs, until }: { leftMs: number; until: string }) {
  const [left, setLeft] = useState(leftMs);
  useEffect(() => {
    const end = performance.now() + leftMs;
    const timer = setInterval(() => setLeft(end - performance.now()), 1_000);
    return () => clearInterval(timer);
  }, [leftMs]);
  return (
    <time dateTime={until} role="timer" className="font-serif text-3xl font-semibold">
      {formatTimer(left)}
    </time>
  );
}

function formatTimer(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

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
