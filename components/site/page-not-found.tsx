"use client";

import { usePathname } from "next/navigation";
import { SearchBox } from "@/components/agents/search-box";
import { shortenHex } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";

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

const IDENTIFIER = /0x[0-9a-f]{64}|0x[0-9a-f]{40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Offers a search for an address, hash or ID found in the missing page's path. */
function SearchForPath() {
  const [key] = IDENTIFIER.exec(usePathname()) ?? [];
  if (!key) return null;
  return (
    <p className="mt-3">
      <TextLink href={`/search?q=${key}`}>Search all records for {shortenHex(key)}</TextLink>
      <span className="text-muted">: includes outcomes of unregistered agents</span>
    </p>
  );
}
