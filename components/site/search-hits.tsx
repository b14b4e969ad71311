"use client";

import { useEffect, useState } from "react";
import { queryProcedure } from "@/components/query-procedure";
import { Link } from "@/components/ui/link";
import { useDebouncedValue } from "@/components/ui/use-debounced-value";
import { OwnerPageLink } from "./owner-page-link";
import { PAGES } from "./pages";
import { AdviceLabel } from "./risk-icon";
import { listSearchHits, type SearchHit, SUGGESTIONS } from "./search-results";
import { UntrustedText } from "./untrusted-text";

export interface HitsProps {
  term: string;
  close: () => void;
}

const DEBOUNCE_MS = 150;
const MAX_AGENTS = 6;

/** What a term has found; null if the search failed. */
interface Found {
  term: string;
  hits: SearchHit[] | null;
}

/** Lists suggestions, or what the search has found; hits of the previous term stay until the next ones arrive. */
export default function SearchHits({ term, close }: HitsProps) {
  const searched = useDebouncedValue(term, DEBOUNCE_MS);
  const [found, setFound] = useState<Found>({ term: "", hits: SUGGESTIONS });
  useEffect(() => {
    if (searched === "") return setFound({ term: "", hits: SUGGESTIONS });
    const superseded = new AbortController();
    const { signal } = superseded;
    queryProcedure("explorer.searchAll", { q: searched, size: MAX_AGENTS }, signal)
      .then(
        (results) => listSearchHits(searched, results),
        () => null,
      )
      .then((hits) => signal.aborted || setFound({ term: searched, hits }));
    return () => superseded.abort();
  }, [searched]);
  return (
    <>
      <ul
        data-term={found.term}
        aria-label="Results"
        className="max-h-[60vh] overflow-y-auto overscroll-contain pb-2"
      >
        {found.hits?.map((hit, index, { [index - 1]: before }) => (
          <li key={hit.href + hit.title} className="group-has-[input:focus]:first:bg-sunken">
            <Hit hit={hit} isFirst={hit.kind !== before?.kind} close={close} />
          </li>
        ))}
      </ul>
      <p role="status" className="px-4 py-3 text-sm text-muted empty:hidden">
        {describeState(term, found)}
      </p>
    </>
  );
}

interface HitProps {
  hit: SearchHit;
  /** Whether it is the first of its kind. */
  isFirst: boolean;
  close: () => void;
}

function Hit({ hit: { href, kind, title, detail, score, advice }, isFirst, close }: HitProps) {
  const isOwnerPage = PAGES.some((page) => page.isOwnerPage && page.route === href);
  const Target = isOwnerPage ? OwnerPageLink : Link;
  return (
    <Target
      href={href}
      onClick={close}
      className="flex items-baseline gap-3 px-4 py-2 -outline-offset-2 hover:bg-sunken focus:bg-sunken"
    >
      <span className="w-16 shrink-0 text-xs text-muted">{isFirst && kind}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          <UntrustedText>{title}</UntrustedText>
        </span>
        <span className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span className="truncate">{detail}</span>
          <span className="truncate">{advice && <AdviceLabel {...advice} />}</span>
        </span>
      </span>
      {score && <span className="font-semibold">{score}</span>}
    </Target>
  );
}

function describeState(term: string, found: Found): string {
  if (found.term !== term) return "Searching…";
  if (!found.hits) return "The service is not responding. Press Enter to try the search page.";
  return found.hits.length > 0
    ? ""
    : `No results for “${term}”. Try fewer letters, or a full address, transaction hash or ID.`;
}
