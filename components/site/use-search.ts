import { useEffect, useState } from "react";
import { queryProcedure } from "@/components/query-procedure";
import type { SearchResults } from "@/server/explorer/schema";

const DEBOUNCE_MS = 150;
const MAX_AGENTS = 6;

interface Search {
  /** Term that `results` are for; those of the previous term stay until the next ones arrive. */
  q: string;
  results: SearchResults | null;
  isError: boolean;
}

/** Searches for `q` once it has been stable for `DEBOUNCE_MS`. */
export function useSearch(q: string): Search {
  const [search, setSearch] = useState<Search>({ q: "", results: null, isError: false });
  useEffect(() => {
    if (q === "") {
      setSearch({ q, results: null, isError: false });
      return;
    }
    const superseded = new AbortController();
    const timer = setTimeout(async () => {
      const next = await queryProcedure(
        "explorer.searchAll",
        { q, size: MAX_AGENTS },
        superseded.signal,
      ).then(
        (results) => ({ q, results, isError: false }),
        () => ({ q, results: null, isError: true }),
      );
      if (!superseded.signal.aborted) setSearch(next);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      superseded.abort();
    };
  }, [q]);
  return search;
}
