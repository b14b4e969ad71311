"use client";

import { useId, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { OwnerPageLink } from "./owner-page-link";
import { THEME_COOKIE, THEMES, type Theme } from "./theme";
import { Wordmark } from "./wordmark";

interface Props {
  columns: [title: string, pages: [route: string, label: string, isOwnerPage: boolean][]][];
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
                {pages.map(([route, label, isOwnerPage]) => (
                  <li key={route}>
                    {isOwnerPage ? (
                      <OwnerPageLink href={route}>{label}</OwnerPageLink>
                    ) : (
                      <Link href={route}>{label}</Link>
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

const YEAR_SECONDS = 31_536_000;

const THEME_OPTIONS: Record<Theme, { label: string; path: string }> = {
  system: { label: "System theme", path: "M3 4.5h14v9H3zM7 16.5h6M10 13.5v3" },
  light: {
    label: "Light theme",
    path: "M10 6.6a3.4 3.4 0 100 6.8 3.4 3.4 0 000-6.8M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M4.3 15.7l1.2-1.2M14.5 5.5l1.2-1.2",
  },
  dark: { label: "Dark theme", path: "M16.6 12.2A7 7 0 017.8 3.4a7 7 0 108.8 8.8z" },
};

/** Switches the theme and stores it in a cookie, so that the server renders it right away. */
function ThemeSwitch({ theme }: { theme: Theme }) {
  const [selected, setSelected] = useState(theme);
  const name = useId();
  const choose = (next: Theme) => {
    setSelected(next);
    const { documentElement: root } = document;
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    const age = next === "system" ? 0 : YEAR_SECONDS;
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers support the Cookie Store API.
    document.cookie = `${THEME_COOKIE}=${next}; path=/; max-age=${age}; samesite=lax`;
  };
  return (
    <fieldset className="theme-switch needs-script">
      <legend className="sr-only">Theme</legend>
      {THEMES.map((option) => {
        const { label, path } = THEME_OPTIONS[option];
        return (
          <label key={option} title={label}>
            <input
              type="radio"
              name={name}
              value={option}
              checked={selected === option}
              onChange={() => choose(option)}
              className="sr-only"
            />
            <span className="sr-only">{label}</span>
            <Icon path={path} className="size-4" />
          </label>
        );
      })}
    </fieldset>
  );
}
