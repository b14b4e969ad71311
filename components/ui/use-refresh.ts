"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { usePolling } from "./use-polling";

/**
 * Renders the page again, in place, once its state differs from `shown`, the one that it was rendered with.
 * `fetchState` must be stable between renders. Returns whether the latest request succeeded.
 */
export function useRefresh(
  fetchState: (signal: AbortSignal) => Promise<string>,
  shown: string,
  everyMs: number,
): boolean {
  const router = useRouter();
  const { data = shown, isError } = usePolling(fetchState, everyMs);
  useEffect(() => {
    if (data !== shown) router.refresh();
  }, [data, shown, router]);
  return !isError;
}
