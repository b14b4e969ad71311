"use client";

import Link from "next/link";
import { Icon } from "@/components/ui/icon";

export interface FilterChoice {
  name: string;
  label: string;
  /** Value in the URL, and its label; the first option has no value and means any. */
  options: readonly (readonly [value: string | undefined, label: string])[];
}

interface Props {
  path: string;
  choices: readonly FilterChoice[];
  /** Filter in the URL. */
  filter: Record<string, string | undefined>;
}

/** Narrows a list by menus of links, so that URLs stay clean and it works without JavaScript. */
export function FilterMenus({ path, choices, filter }: Props) {
  const isFiltered = choices.some(({ name }) => filter[name] !== undefined);
  return (
    // The key closes an open menu after a choice.
    <nav
      key={JSON.stringify(filter)}
      aria-label="Filter"
      className="relative z-20 flex flex-wrap items-center gap-2 text-sm"
    >
      {choices.map((choice) => (
        <Menu key={choice.name} choice={choice} path={path} filter={filter} />
      ))}
      {isFiltered && (
        <Link
          href={buildUrl(
            path,
            filter,
            Object.fromEntries(choices.map(({ name }) => [name, undefined])),
          )}
          scroll={false}
          className="px-2 py-2 text-accent underline-offset-2 hover:underline"
        >
          Clear filters
        </Link>
      )}
    </nav>
  );
}

function Menu({
  choice: { name, label, options },
  path,
  filter,
}: { choice: FilterChoice } & Pick<Props, "path" | "filter">) {
  const selected = filter[name];
  const [, selectedLabel] = options.find(([value]) => value === selected) ?? [];
  return (
    <details name="filter" className="group sm:relative">
      <summary
        className={`flex h-9 cursor-pointer list-none items-center gap-1.5 rounded-md border px-3 [&::-webkit-details-marker]:hidden hover:bg-sunken ${selected === undefined ? "border-field" : "border-accent font-medium"}`}
      >
        {selected === undefined ? label : <span className="text-muted">{label}:</span>}
        {selected !== undefined && (selectedLabel ?? selected)}
        <Icon path="M5.5 8l4.5 4.5L14.5 8" className="size-4 text-muted group-open:rotate-180" />
      </summary>
      <ul className="absolute inset-x-0 mt-1 rounded-md border border-line bg-raised py-1 shadow-lg sm:inset-x-auto sm:left-0 sm:min-w-48">
        {options.map(([value, optionLabel]) => (
          <li key={optionLabel}>
            <Link
              href={buildUrl(path, filter, { [name]: value })}
              scroll={false}
              prefetch={false}
              aria-current={value === selected ? "true" : undefined}
              className="flex h-9 items-center justify-between gap-4 px-3 hover:bg-sunken aria-[current]:font-medium"
            >
              {optionLabel}
              {value === selected && (
                <Icon path="M4.5 10.5l3.5 3.5 7.5-8" className="size-4 text-accent" />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

function buildUrl(
  path: string,
  filter: Record<string, string | undefined>,
  change: Record<string, string | undefined>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, ...change })) {
    if (value !== undefined) query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
