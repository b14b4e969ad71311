"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { queryProcedure } from "@/components/query-procedure";
import { useDebouncedValue } from "@/components/ui/use-debounced-value";
import type { SearchResults } from "@/server/explorer/agent-list/schema";
import { PAGES } from "./pages";
import { AdviceLabel } from "./risk-icon";
import { SearchField } from "./search-field";
import { listSearchHits, type SearchHit, SUGGESTIONS } from "./search-results";
import { UntrustedText } from "./untrusted-text";

interface Props {
  /** Text typed before this component was loaded. */
  initial: string;
  close: () => void;
}

/** The content of the search dialog: a field with suggestions or hits. Loaded on first use. */
export function Search({ initial, close }: Props) {
  const router = useRouter();
  const listId = useId();
  const [typed, setTyped] = useState(initial);
  const [active, setActive] = useState(0);
  const term = typed.trim();
  const { q, results, isError } = useSearch(useDebouncedValue(term, DEBOUNCE_MS));
  const hits = term === "" ? SUGGESTIONS : results ? listSearchHits(q, results) : [];
  const isCurrent = term === "" || q === term;
  const selected = Math.min(active, hits.length - 1);

  const navigate = (href: string) => {
    close();
    if (PAGES.some(({ route, isOwnerPage }) => isOwnerPage && route === href))
      location.assign(href);
    else router.push(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length > 0) {
      event.preventDefault();
      setActive((selected + step + hits.length) % hits.length);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      const hit = hits[selected];
      // Hits for an older term are stale: the search page shows the right ones, or the exact page.
      if (hit && isCurrent) navigate(hit.href);
      else if (term) navigate(`/search?q=${encodeURIComponent(term)}`);
    }
  };
  return (
    <>
      <SearchField
        ref={takeFocus}
        close={close}
        aria-expanded={hits.length > 0}
        aria-controls={listId}
        aria-activedescendant={hits[selected] ? `${listId}-${selected}` : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Results"
        className="max-h-[60vh] overflow-y-auto overscroll-contain"
      >
        {hits.map((hit, index) => (
          <Option
            key={hit.href + hit.title}
            id={`${listId}-${index}`}
            hit={hit}
            isSelected={index === selected}
            onHover={() => setActive(index)}
            onSelect={() => navigate(hit.href)}
          />
        ))}
      </div>
      <p role="status" className="px-4 py-3 text-sm text-muted empty:hidden">
        {describeState(term, hits.length, isCurrent, isError)}
      </p>
    </>
  );
}

/** Focuses the field, with the cursor behind what was typed so far. */
function takeFocus(field: HTMLInputElement | null) {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

interface OptionProps {
  id: string;
  hit: SearchHit;
  isSelected: boolean;
  onHover: () => void;
  onSelect: () => void;
}

/** Renders one hit. Focus stays in the field; the selection follows arrow keys and pointer. */
function Option({ id, hit, isSelected, onHover, onSelect }: OptionProps) {
  const { kind, title, detail, score, advice } = hit;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the focused field.
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onPointerMove={onHover}
      onClick={onSelect}
      className="flex cursor-pointer items-baseline gap-3 px-4 py-2 aria-selected:bg-sunken"
    >
      <span className="w-16 shrink-0 text-xs text-muted">{kind}</span>
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
      <span
        aria-hidden="true"
        className={`text-sm text-muted pointer-coarse:hidden ${isSelected ? "" : "invisible"}`}
      >
        ↵
      </span>
    </div>
  );
}

function describeState(term: string, hits: number, isCurrent: boolean, isError: boolean): string {
  if (term === "") return "";
  if (!isCurrent) return "Searching…";
  if (isError) return "The service is not responding. Press Enter to try the search page.";
  if (hits > 0) return "";
  return `No results for “${term}”. Try fewer letters, or a full address, transaction hash or ID.`;
}

const DEBOUNCE_MS = 150;
const MAX_AGENTS = 6;

interface SearchState {
  /** Term that `results` are for; those of the previous term stay until the next ones arrive. */
  q: string;
  results: SearchResults | null;
  isError: boolean;
}

function useSearch(q: string): SearchState {
  const [search, setSearch] = useState<SearchState>({ q: "", results: null, isError: false });
  useEffect(() => {
    if (q === "") return;
    const superseded = new AbortController();
    const { signal } = superseded;
    queryProcedure("explorer.searchAll", { q, size: MAX_AGENTS }, signal)
      .then(
        (results) => ({ q, results, isError: false }),
        () => ({ q, results: null, isError: true }),
      )
      .then((next) => signal.aborted || setSearch(next));
    return () => superseded.abort();
  }, [q]);
  return search;
}
