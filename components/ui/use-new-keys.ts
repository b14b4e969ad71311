import { useEffect, useRef, useState } from "react";

/** Returns the keys that were added after the first render, to mark rows that arrived since. */
export function useNewKeys(keys: readonly string[]): ReadonlySet<string> {
  const seen = useRef(new Set(keys));
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const unseen = keys.filter((key) => !seen.current.has(key));
    if (unseen.length === 0) return;
    for (const key of unseen) seen.current.add(key);
    setAdded(new Set(unseen));
  }, [keys]);
  return added;
}
