"use client";

import { SearchBox } from "@/components/agents/search-box";
import { TextLink } from "@/components/ui/text-link";
import { SearchForPath } from "./search-for-path";

interface Props {
  /** Pages to continue with. */
  pages: [route: string, label: string, summary: string][];
}

/**
 * Explains that a page does not exist. A client component, because every page contains it, and the
 * markup of a server component would be in each of them.
 */
export function PageNotFound({ pages }: Props) {
  return (
    <div className="mx-auto max-w-xl py-10">
      <p className="text-muted">404</p>
      <h1 className="mt-1 text-3xl font-semibold">Page not found</h1>
      <p className="mt-3 mb-6 text-muted">
        The address may be mistyped, or the agent isn't registered. Search by name, wallet address,
        transaction hash or outcome ID.
      </p>
      <SearchBox />
      <SearchForPath />
      <ul className="mt-8 grid gap-2">
        {pages.map(([route, label, summary]) => (
          <li key={route}>
            <TextLink href={route}>{label}</TextLink>
            <span className="text-muted">
              : {summary.charAt(0).toLowerCase() + summary.slice(1)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
