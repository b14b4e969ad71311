"use client";

import { lazy, type MouseEvent, Suspense, useEffect, useState } from "react";

const load = () => import("./search-dialog");
const SearchDialog = lazy(load);

/** Leads to the search page; with JavaScript, and by `/` or Ctrl-K from anywhere, searches in place. */
export function SearchTrigger() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [listens, setListens] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!asksForSearch(event)) return;
      event.preventDefault();
      setWanted(true);
      setOpen(true);
    };
    addEventListener("keydown", onKey);
    setListens(true);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    setWanted(true);
    setOpen(true);
  };
  return (
    <>
      <a
        href="/search"
        onClick={onClick}
        onPointerEnter={load}
        onFocus={load}
        aria-keyshortcuts={listens ? "/ Control+K Meta+K" : undefined}
        className="flex h-10 items-center gap-2 rounded-md border border-line bg-paper px-2.5 text-sm text-muted hover:text-ink md:h-9 lg:w-52"
      >
        <svg viewBox="0 0 20 20" className="size-4.5 shrink-0" fill="none" aria-hidden="true">
          <circle cx="9" cy="9" r="5.5" stroke="currentColor" strokeWidth="1.6" />
          <path d="M13.2 13.2L17 17" stroke="currentColor" strokeWidth="1.6" />
        </svg>
        <span className="sr-only lg:not-sr-only">Search</span>
        <kbd className="needs-script ml-auto hidden rounded border border-line px-1.5 font-sans text-xs lg:inline">
          /
        </kbd>
      </a>
      {wanted && (
        <Suspense>
          <SearchDialog open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}

function asksForSearch(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() === "k") return (event.ctrlKey || event.metaKey) && !event.altKey;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return false;
  // Where somebody types, a slash is a slash.
  return !(event.target as Element | null)?.closest?.(
    "input, textarea, select, [contenteditable], [role=dialog]",
  );
}
