"use client";

import { usePathname } from "next/navigation";
import {
  type ComponentType,
  type MouseEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { OwnerPageLink } from "./owner-page-link";
import { SearchField } from "./search-field";
import { useFocusOnHeading } from "./use-focus-on-heading";
import { Wordmark } from "./wordmark";

const MENU = "site-menu";
const MAGNIFIER = "M9 3.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM13.2 13.2L17 17";

interface Props {
  links: (readonly [route: string, label: string])[];
  isSignedIn: boolean;
}

/**
 * The navigation is a row on wide screens and a native popover on narrow ones, which works without
 * JavaScript. A client component as a whole: the markup of a server component is sent twice.
 */
export function HeaderBar({ links, isSignedIn }: Props) {
  const path = usePathname();
  useFocusOnHeading(path);
  const menu = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Without JavaScript the menu covers the header.
  const moveBelowButton = () => {
    const below = button.current?.getBoundingClientRect().bottom;
    if (menu.current && below) menu.current.style.top = `${below + 8}px`;
  };
  const close = () => menu.current?.matches(":popover-open") && menu.current.hidePopover();
  return (
    <header className="border-b border-line bg-raised">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-3 px-4 sm:px-6">
        <Link href="/" aria-label="Standing, home" className="py-1">
          <Wordmark />
        </Link>
        <nav
          ref={menu}
          id={MENU}
          popover="auto"
          aria-label="Main"
          onBeforeToggle={moveBelowButton}
          className="site-menu"
        >
          {links.map(([route, label]) => (
            <Link
              key={route}
              href={route}
              onClick={close}
              aria-current={path === route || path.startsWith(`${route}/`) ? "page" : undefined}
            >
              {label}
            </Link>
          ))}
          {!isSignedIn && (
            <OwnerPageLink href="/sign-in" className="lg:hidden">
              Sign in
            </OwnerPageLink>
          )}
        </nav>
        <div className="ml-auto flex items-center gap-2 sm:gap-3">
          <SearchTrigger />
          {!isSignedIn && (
            <OwnerPageLink
              href="/sign-in"
              className="px-2 py-2 text-sm whitespace-nowrap text-muted hover:text-ink max-lg:hidden"
            >
              Sign in
            </OwnerPageLink>
          )}
          <OwnerPageLink
            href={isSignedIn ? "/dashboard" : "/register"}
            className="rounded-md bg-ink px-3.5 py-2 text-sm font-medium text-paper hover:opacity-90"
          >
            {isSignedIn ? "Dashboard" : "Register"}
          </OwnerPageLink>
          <button
            ref={button}
            type="button"
            popoverTarget={MENU}
            className="grid size-10 place-items-center rounded-md border border-line lg:hidden"
          >
            <span className="sr-only">Menu</span>
            <Icon path="M3 6h14M3 10h14M3 14h14" className="size-5" strokeWidth={1.6} />
          </button>
        </div>
      </div>
    </header>
  );
}

type SearchContent = ComponentType<{ initial: string; close: () => void }>;

/**
 * Opens the search dialog on click, `/` or Ctrl-K; links to the search page without JavaScript. The
 * search is loaded on first use; a plain field takes what is typed until then.
 */
function SearchTrigger() {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useRef("");
  const [isOpen, setOpen] = useState(false);
  const [isListening, setListening] = useState(false);
  const [Search, setSearch] = useState<SearchContent | null>(null);
  const load = useCallback(() => {
    import("./search-dialog").then(
      // At once, so that no key is pressed while neither field has focus.
      ({ Search }) => flushSync(() => setSearch(() => Search)),
      // The plain field still leads to the search page.
      () => {},
    );
  }, []);
  const open = useCallback(
    (event: Event | MouseEvent) => {
      event.preventDefault();
      if (dialog.current?.open) return;
      typed.current = "";
      load();
      // Within the event: the field has to be there, and focused, before the next key.
      flushSync(() => setOpen(true));
      dialog.current?.showModal();
    },
    [load],
  );
  const close = () => dialog.current?.close();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isSearchShortcut(event)) open(event);
    };
    addEventListener("keydown", onKey);
    setListening(true);
    return () => removeEventListener("keydown", onKey);
  }, [open]);
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    open(event);
  };
  return (
    <>
      <a
        href="/search"
        onClick={onClick}
        onPointerEnter={load}
        onFocus={load}
        aria-keyshortcuts={isListening ? "/ Control+K Meta+K" : undefined}
        className="flex h-10 items-center gap-2 rounded-md border border-field bg-paper px-2.5 text-sm text-muted hover:text-ink md:h-9 lg:w-44"
      >
        <Icon path={MAGNIFIER} className="size-4.5 shrink-0" strokeWidth={1.6} />
        <span className="sr-only lg:not-sr-only">Search</span>
        <kbd className="needs-script ml-auto hidden rounded border border-line px-1.5 font-sans text-xs lg:inline">
          /
        </kbd>
      </a>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Escape. */}
      <dialog
        ref={dialog}
        aria-label="Search Standing"
        onClose={() => setOpen(false)}
        onClick={({ target, currentTarget }) => {
          // The padding-free dialog itself is only hit outside, on its backdrop.
          if (target === currentTarget) currentTarget.close();
        }}
        className="fixed top-[8vh] mx-auto mb-0 w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-2xl backdrop:bg-black/40 sm:top-[14vh]"
      >
        {isOpen &&
          (Search ? (
            <Search initial={typed.current} close={close} />
          ) : (
            <form action="/search">
              <SearchField
                name="q"
                close={close}
                onInput={({ currentTarget }) => {
                  typed.current = currentTarget.value;
                }}
              />
            </form>
          ))}
      </dialog>
    </>
  );
}

function isSearchShortcut(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() === "k") return (event.ctrlKey || event.metaKey) && !event.altKey;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return false;
  // In a text field, a slash is just a slash.
  return !(event.target as Element | null)?.closest?.(
    "input, textarea, select, [contenteditable], [role=dialog], dialog",
  );
}
