"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useRef } from "react";
import { OwnerPageLink } from "./owner-page-link";
import { listPagesIn } from "./pages";
import type { Theme } from "./theme";
import { ThemeSwitch } from "./theme-switch";

const MENU = "site-menu";

/** Shows the navigation on narrow screens as a native popover, which works without JavaScript. */
export function MobileMenu({ theme, isSignedIn }: { theme: Theme; isSignedIn: boolean }) {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Without JavaScript the menu covers the header.
  const moveBelowButton = () => {
    const below = button.current?.getBoundingClientRect().bottom;
    if (menu.current && below) menu.current.style.top = `${below + 8}px`;
  };
  const close = () => menu.current?.hidePopover();
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={MENU}
        className="grid size-10 place-items-center rounded-md border border-line md:hidden"
      >
        <span className="sr-only">Menu</span>
        <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
          <path d="M3 6h14M3 10h14M3 14h14" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      </button>
      <div
        ref={menu}
        id={MENU}
        popover="auto"
        onBeforeToggle={moveBelowButton}
        className="top-16 right-4 left-auto m-0 w-56 rounded-lg border border-line bg-raised p-2 text-ink shadow-lg"
      >
        <nav aria-label="Menu" className="grid">
          {listPagesIn("header").map(({ route, label }) => (
            <NavLink
              key={route}
              href={route}
              onClick={close}
              className="rounded-md px-3 py-2.5 hover:bg-sunken aria-[current=page]:font-semibold"
            >
              {label}
            </NavLink>
          ))}
          {!isSignedIn && (
            <OwnerPageLink href="/sign-in" className="rounded-md px-3 py-2.5 hover:bg-sunken">
              Sign in
            </OwnerPageLink>
          )}
        </nav>
        <div className="mt-2 flex justify-between border-t border-line px-3 pt-3 pb-1 text-sm text-muted">
          <span className="needs-script py-1">Theme</span>
          <ThemeSwitch theme={theme} />
        </div>
      </div>
    </>
  );
}

interface NavLinkProps {
  href: string;
  className: string;
  children: ReactNode;
  onClick?: () => void;
}

/** Renders a link that marks itself as the current page. */
export function NavLink({ href, children, ...rest }: NavLinkProps) {
  const path = usePathname();
  const isCurrent = path === href || path.startsWith(`${href}/`);
  return (
    <Link href={href} aria-current={isCurrent ? "page" : undefined} {...rest}>
      {children}
    </Link>
  );
}
