"use client";

import { useEffect, useState } from "react";

interface Poll<T> {
  /** Latest result; undefined until the first one. */
  data?: T;
  /** When it arrived, ISO 8601. */
  at?: string;
  /** Whether the latest request failed. */
  isError: boolean;
}

/**
 * Polls every `everyMs`, or not if it is null, while the page is visible, and at once when it becomes visible again. The
 * first request waits too, since the page was rendered with current data. `fetchData` must be stable
 * between renders, or polling restarts.
 */
export function usePolling<T>(
  fetchData: (signal: AbortSignal) => Promise<T>,
  everyMs: number | null,
): Poll<T> {
  const [poll, setPoll] = useState<Poll<T>>({ isError: false });
  useEffect(() => {
    if (everyMs === null) return;
    const unmounted = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isPending = false;
    const next = async () => {
      if (isPending || document.visibilityState === "hidden") return;
      clearTimeout(timer);
      isPending = true;
      const result = await fetchData(unmounted.signal).then(
        (data) => ({ data, at: new Date().toISOString(), isError: false }),
        () => ({ isError: true }),
      );
      if (unmounted.signal.aborted) return;
      setPoll((before) => ({ ...before, ...result }));
      isPending = false;
      timer = setTimeout(next, everyMs);
    };
    timer = setTimeout(next, everyMs);
    document.addEventListener("visibilitychange", next);
    return () => {
      unmounted.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", next);
    };
  }, [fetchData, everyMs]);
  return poll;
}
