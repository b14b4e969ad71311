import { cookies } from "next/headers";
import Link from "next/link";
import { MobileMenu, NavLink } from "./navigation-menu";
import { OwnerPageLink } from "./owner-page-link";
import { listPagesIn } from "./pages";
import { SearchTrigger } from "./search-trigger";
import type { Theme } from "./theme";
import { ThemeSwitch } from "./theme-switch";

export async function SiteHeader({ theme }: { theme: Theme }) {
  const isSignedIn = await hasSessionCookie();
  return (
    <header className="border-b border-line bg-raised">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-3 px-4 sm:px-6">
        <Link href="/" aria-label="Standing, home" className="py-1">
          <Wordmark />
        </Link>
        <nav aria-label="Main" className="ml-6 hidden items-center gap-1 text-sm md:flex">
          {listPagesIn("header").map(({ route, label }) => (
            <NavLink
              key={route}
              href={route}
              className="rounded-md px-2.5 py-2 whitespace-nowrap text-muted hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-2 sm:gap-3">
          <SearchTrigger />
          <div className="hidden md:block">
            <ThemeSwitch theme={theme} />
          </div>
          {isSignedIn ? (
            <OwnerPageLink href="/dashboard" className={BUTTON}>
              Dashboard
            </OwnerPageLink>
          ) : (
            <>
              <OwnerPageLink
                href="/sign-in"
                className="rounded-md px-2 py-2 text-sm whitespace-nowrap text-muted hover:text-ink max-md:hidden"
              >
                Sign in
              </OwnerPageLink>
              <OwnerPageLink href="/register" className={BUTTON}>
                Register
              </OwnerPageLink>
            </>
          )}
          <MobileMenu theme={theme} isSignedIn={isSignedIn} />
        </div>
      </div>
    </header>
  );
}

const BUTTON = "rounded-md bg-ink px-3.5 py-2 text-sm font-medium text-paper hover:opacity-90";

/** Returns whether a session cookie exists; the owner pages check it. */
async function hasSessionCookie(): Promise<boolean> {
  return (await cookies()).getAll().some(({ name }) => name.endsWith("standing_session"));
}

/** Renders the logo, four rising bars, with the product name. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true" fill="currentColor">
        <rect x="1" y="13" width="3.5" height="6" rx="0.5" opacity="0.45" />
        <rect x="5.8" y="9.5" width="3.5" height="9.5" rx="0.5" opacity="0.65" />
        <rect x="10.6" y="6" width="3.5" height="13" rx="0.5" opacity="0.85" />
        <rect x="15.4" y="1" width="3.5" height="18" rx="0.5" className="fill-accent" />
      </svg>
      <span className="font-serif text-xl font-semibold tracking-tight">Standing</span>
    </span>
  );
}
