"use client";

import Link from "next/link";
import { OwnerPageLink } from "./owner-page-link";
import type { Theme } from "./theme";
import { ThemeSwitch } from "./theme-switch";
import { Wordmark } from "./wordmark";

interface Props {
  columns: [title: string, pages: [route: string, label: string][]][];
  theme: Theme;
}

/** A client component: the markup of a server component is sent twice. */
export function FooterColumns({ columns, theme }: Props) {
  return (
    <footer className="mt-8 border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-start justify-between gap-x-10 gap-y-6 px-4 py-10 sm:px-6">
        <div className="max-w-sm text-sm text-muted">
          <span className="text-ink">
            <Wordmark />
          </span>
          <p className="mt-3 mb-4 text-balance">
            Verdicts are recorded on chain. Anyone can recompute the scores.
          </p>
          <ThemeSwitch theme={theme} />
        </div>
        <nav aria-label="All pages" className="grid grid-cols-2 gap-x-14 gap-y-6 text-sm sm:flex">
          {columns.map(([title, pages]) => (
            <div key={title} className="min-w-24 max-sm:first:row-span-2">
              <h2 id={`footer-${title}`} className="font-sans font-medium tracking-normal">
                {title}
              </h2>
              <ul aria-labelledby={`footer-${title}`} className="footer-links mt-1">
                {pages.map(([route, label]) => (
                  <li key={route}>
                    {route === "/register" ? (
                      <OwnerPageLink href={route}>{label}</OwnerPageLink>
                    ) : (
                      <Link href={route} prefetch={false}>
                        {label}
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}
