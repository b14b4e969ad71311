"use client";

import {
  type ComponentType,
  type FormEvent,
  lazy,
  type MouseEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { Icon } from "@/components/ui/icon";
import type { HitsProps } from "./search-hits";

const MAGNIFIER = "M9 3.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM13.2 13.2L17 17";

/** Loaded on first use. Without it the field still leads to the search page. */
const loadHits = () =>
  import("./search-hits").catch((): { default: ComponentType<HitsProps> } => ({
    default: () => null,
  }));
const SearchHits = lazy<ComponentType<HitsProps>>(loadHits);

/** Opens a search on click, `/` or Ctrl-K; links to the search page without JavaScript. */
export function SearchPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [isListening, setListening] = useState(false);
  const open = useCallback((event: Event | MouseEvent) => {
    event.preventDefault();
    setOpen(true);
    // Focuses the field at once, so that the next key is not lost.
    dialog.current?.showModal();
  }, []);
  const close = () => dialog.current?.close();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isSearchShortcut(event) && !dialog.current?.open) open(event);
    };
    addEventListener("keydown", onKey);
    setListening(true);
    return () => removeEventListener("keydown", onKey);
  }, [open]);
  const term = typed.trim();
  return (
    <>
      <a
        href="/search"
        onClick={(event) => {
          if (!event.metaKey && !event.ctrlKey && !event.shiftKey) open(event);
        }}
        onPointerEnter={loadHits}
        onFocus={loadHits}
        aria-keyshortcuts={isListening ? "/ Control+K Meta+K" : undefined}
        className="flex h-10 items-center gap-2 rounded-md border border-field bg-paper px-2.5 text-sm text-muted hover:text-ink md:h-9 lg:w-44"
      >
        <Icon path={MAGNIFIER} className="size-4.5 shrink-0" strokeWidth={1.6} />
        <span className="sr-only lg:not-sr-only">Search</span>
        <kbd className="needs-script ml-auto hidden rounded border border-line px-1.5 font-sans text-xs lg:inline">
          /
        </kbd>
      </a>
      <dialog
        ref={dialog}
        aria-label="Search Standing"
        onClose={() => {
          setOpen(false);
          setTyped("");
        }}
        onClick={({ target, currentTarget }) => {
          // The padding-free dialog itself is only hit outside, on its backdrop.
          if (target === currentTarget) currentTarget.close();
        }}
        onKeyDown={moveFocus}
        className="fixed top-[8vh] mx-auto mb-0 w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-2xl backdrop:bg-black/40 sm:top-[14vh]"
      >
        <form action="/search" className="group" onSubmit={(event) => chooseFirst(event, term)}>
          <div className="flex items-center gap-3 border-b-2 border-field px-4 has-[input:focus]:border-accent">
            <input
              type="text"
              name="q"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              enterKeyHint="search"
              autoComplete="off"
              spellCheck={false}
              aria-label="Search agents by kind of work, name or address, and records by ID"
              maxLength={200}
              placeholder="Code review, a name or 0x…"
              className="w-full min-w-0 bg-transparent py-4 text-lg outline-none placeholder:text-muted"
            />
            <button
              type="button"
              onClick={close}
              className="h-7 shrink-0 rounded border border-line px-2 text-xs text-muted hover:text-ink pointer-coarse:h-10 pointer-coarse:px-3 pointer-coarse:text-sm"
            >
              <span className="pointer-coarse:hidden">Esc</span>
              <span className="pointer-fine:sr-only"> Close</span>
            </button>
          </div>
          <Suspense>{isOpen && <SearchHits term={term} close={close} />}</Suspense>
        </form>
      </dialog>
    </>
  );
}

/** Moves the focus by arrow keys. The first hit is skipped: Enter in the field opens it. */
function moveFocus(event: ReactKeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const [field, , ...others] = event.currentTarget.querySelectorAll<HTMLElement>("input, li > a");
  const stops = [field, ...others];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[(at + step + stops.length) % stops.length]?.focus();
}

/** Opens the first hit if it is one for the term; the search page has those of a newer term. */
function chooseFirst(event: FormEvent<HTMLElement>, term: string) {
  const list = event.currentTarget.querySelector("ul");
  const first = list?.dataset.term === term && list.querySelector("a");
  if (!first) return;
  event.preventDefault();
  first.click();
}

function isSearchShortcut(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() === "k") return (event.ctrlKey || event.metaKey) && !event.altKey;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return false;
  // In a text field, a slash is just a slash.
  return !(event.target as Element | null)?.closest?.(
    "input, textarea, select, [contenteditable], [role=dialog], dialog",
  );
}
