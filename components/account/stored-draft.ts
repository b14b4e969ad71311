"use client";

import { useEffect, useState } from "react";

/**
 * Manages a form draft stored in session storage under `key`, so that it survives the reload
 * needed after enabling a wallet. Without a key nothing is stored.
 */
export function useStoredDraft<T extends object>(key: string | null, initial: T) {
  const [draft, setDraft] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the initial draft never changes
  useEffect(() => {
    const stored = key && sessionStorage.getItem(key);
    if (stored) setDraft({ ...initial, ...JSON.parse(stored) });
  }, [key]);
  return {
    draft,
    setDraft: (next: T) => {
      setDraft(next);
      if (key) sessionStorage.setItem(key, JSON.stringify(next));
    },
    discardDraft: () => key && sessionStorage.removeItem(key),
  };
}
