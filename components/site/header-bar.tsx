"use client";

import { usePathname } from "next/navigation";
import { useRef } from "react";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { OwnerPageLink } from "./owner-page-link";
import { SearchPalette } from "./search-palette";
import { useFocusOnHeading } from "./use-focus-on-heading";
import { Wordmark } from "./wordmark";

const MENU = "site-menu";

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
          <SearchPalette />
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
