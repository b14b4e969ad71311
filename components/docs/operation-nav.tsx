"use client";

import { useState } from "react";
import { Link } from "@/components/ui/link";
import type { ApiOperation } from "@/server/pages/schema";
import styles from "./docs.module.css";

type Entry = Pick<ApiOperation, "id" | "method" | "path" | "summary">;

interface Props {
  tags: { name: string; operations: Entry[] }[];
  /** Identifies the shown operation; null on the overview. */
  current: string | null;
}

/** Links to every operation, with a filter. */
export function OperationNav({ tags, current }: Props) {
  const [filter, setFilter] = useState("");
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = tags
    .map(({ name, operations }) => ({
      name,
      operations: operations.filter(({ method, path, summary }) => {
        const text = `${method} ${path} ${summary} ${name}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <nav aria-label="API reference" className={`text-sm ${styles.nav}`}>
      <input
        type="search"
        aria-label="Filter operations"
        placeholder="Filter"
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
        className="needs-script mb-3 w-full rounded-md border border-field bg-paper px-2.5 py-1.5 text-base placeholder:text-muted lg:text-sm"
      />
      <NavItem href="/docs" isCurrent={current === null}>
        Overview
      </NavItem>
      {matching.map(({ name, operations }) => (
        <div key={name} className="mt-4">
          <p className="px-2.5 pb-1 text-xs font-semibold text-muted">{name}</p>
          <ul>
            {operations.map(({ id, summary }) => (
              <li key={id}>
                <NavItem href={`/docs/operations/${id}`} isCurrent={id === current}>
                  {summary}
                </NavItem>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p role="status" className="px-2.5 py-3 text-muted empty:hidden">
        {matching.length === 0 ? "No operations match." : ""}
      </p>
    </nav>
  );
}

interface ItemProps {
  href: string;
  isCurrent: boolean;
  children: string;
}

/** Scrolls the list, and not the page, to the current operation. */
function centerInList(link: HTMLElement | null) {
  const list = link?.closest("aside");
  if (link && list) list.scrollTop = link.offsetTop - list.clientHeight / 2;
}

function NavItem({ href, isCurrent, children }: ItemProps) {
  return (
    <Link
      href={href}
      ref={isCurrent ? centerInList : null}
      aria-current={isCurrent ? "page" : undefined}
    >
      {children}
    </Link>
  );
}
