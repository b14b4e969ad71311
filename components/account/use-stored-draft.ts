"use client";

import { useEffect, useState } from "react";

/**
 * Manages a form draft stored in session storage under `name`, so that it survives the reload
 * needed after enabling a wallet. Without a name nothing is stored.
 */
export function useStoredDraft<T extends Record<string, string>>(name: string | null, initial: T) {
  const [draft, setDraft] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the initial draft never changes
  useEffect(() => {
    const stored = name && sessionStorage.getItem(name);
    if (stored) setDraft({ ...initial, ...JSON.parse(stored) });
  }, [name]);
  return {
    draft,
    setDraft: (next: T) => {
      setDraft(next);
      if (name) sessionStorage.setItem(name, JSON.stringify(next));
    },
    discardDraft: () => name && sessionStorage.removeItem(name),
  };
}
