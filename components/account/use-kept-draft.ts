"use client";

import { useEffect, useState } from "react";

/**
 * What stands in a form, kept by its tab under `name`: a page that has to be reloaded, for a wallet
 * that was just switched on, brings it back. Without a name nothing is kept.
 */
export function useKeptDraft<T extends Record<string, string>>(name: string | null, initial: T) {
  const [draft, setDraft] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the form began with stays the same
  useEffect(() => {
    const kept = name && sessionStorage.getItem(name);
    if (kept) setDraft({ ...initial, ...JSON.parse(kept) });
  }, [name]);
  return {
    draft,
    setDraft: (next: T) => {
      setDraft(next);
      if (name) sessionStorage.setItem(name, JSON.stringify(next));
    },
    forgetDraft: () => name && sessionStorage.removeItem(name),
  };
}
