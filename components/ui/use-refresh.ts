"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { usePolling } from "./use-polling";

/**
 * Renders the page again, in place, once its state differs from `shown`, the one that it was rendered with,
 * or from the one polled before: what the page shows may have been read just before `shown` was.
 * `fetchState` must be stable between renders. Returns whether the latest request succeeded.
 */
export function useRefresh(
  fetchState: (signal: AbortSignal) => Promise<string>,
  shown: string,
  everyMs: number,
): boolean {
  const router = useRouter();
  const { data = shown, isError } = usePolling(fetchState, everyMs);
  const polled = useRef(data);
  useEffect(() => {
    if (data !== shown || data !== polled.current) router.refresh();
    polled.current = data;
  }, [data, shown, router]);
  return !isError;
}
