"use client";

import { type ReactNode, useId } from "react";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/notice";
import { buildUrl } from "@/server/lib/build-url";
import { RESULTS } from "./list-heading";

export interface FilterChoice {
  name: string;
  label: string;
  /**
   * Value in the URL, and its label. The first option of a menu has no value and means any; a choice
   * with one option is a switch, which the option's label names; one without is a field.
   */
  options: readonly (readonly [value: string | undefined, label: string])[];
  /** Unit of a field's number. */
  unit?: string;
}

interface Props {
  path: string;
  choices: readonly FilterChoice[];
  /** Query of the URL; parameters that aren't choices stay. */
  filter: Record<string, string | undefined>;
}

const CHECK = "M4.5 10.5l3.5 3.5 7.5-8";
const CROSS = "M6 6l8 8M14 6l-8 8";

/** Narrows a list by links, so that URLs stay clean and it works without JavaScript. */
export function FilterMenus({ path, choices, filter }: Props) {
  const isFiltered = choices.some(({ name }) => filter[name] !== undefined);
  return (
    // The key closes an open menu after a choice.
    <nav
      key={JSON.stringify(filter)}
      aria-label="Filter"
      className="flex items-center gap-2 text-sm whitespace-nowrap *:shrink-0 max-md:-mx-4 max-md:-my-1 max-md:overflow-x-auto max-md:px-4 max-md:py-1 md:flex-wrap"
    >
      {choices.map((choice) => (
        <Choice key={choice.name} choice={choice} path={path} filter={filter} />
      ))}
      {isFiltered && (
        <Link
          href={removeChoices(path, filter, choices)}
          scroll={false}
          className="px-2 py-2 text-accent underline-offset-2 hover:underline"
        >
          Clear filters
        </Link>
      )}
    </nav>
  );
}

type ChoiceProps = { choice: FilterChoice } & Pick<Props, "path" | "filter">;

/** Shows a field, a menu or a switch; once it filters, beside a link that removes it. */
function Choice({ choice, path, filter }: ChoiceProps) {
  const { name, label, options } = choice;
  const isActive = filter[name] !== undefined;
  const text = isActive ? describe(choice, filter) : label;
  const Control = [NumberField, Switch][options.length] ?? Menu;
  return (
    <div
      className={`flex h-9 rounded-md border ${isActive ? "border-accent font-medium" : "border-field"}`}
    >
      <Control choice={choice} path={path} filter={filter}>
        {text}
      </Control>
      {isActive && (
        <Link
          href={removeChoices(path, filter, [choice])}
          scroll={false}
          aria-label={`Remove ${text}`}
          className="grid w-8 place-items-center rounded-r-md text-muted hover:bg-sunken hover:text-ink"
        >
          <Icon path={CROSS} className="size-4" />
        </Link>
      )}
    </div>
  );
}

type ControlProps = ChoiceProps & { children: string };

function Switch({ choice, path, filter, children }: ControlProps) {
  const { name, options } = choice;
  const isActive = filter[name] !== undefined;
  return (
    <Link
      href={
        isActive
          ? removeChoices(path, filter, [choice])
          : buildUrl(path, { ...filter, [name]: options[0]?.[0] })
      }
      scroll={false}
      aria-current={isActive ? "true" : undefined}
      className="flex items-center rounded-md px-3 hover:bg-sunken"
    >
      {children}
    </Link>
  );
}

function NumberField({ choice: { name, label, unit }, path, filter }: ControlProps) {
  return (
    <form action={path} className="flex items-center gap-1.5 pl-3">
      <HiddenFields values={{ ...filter, [name]: undefined }} />
      <label className="flex items-center gap-1.5">
        {label}
        <input
          name={name}
          type="number"
          min="0"
          step="any"
          required={filter[name] === undefined}
          defaultValue={filter[name]}
          placeholder="Any"
          className="h-7 w-18 rounded bg-sunken px-2 text-right [appearance:textfield] placeholder:text-muted"
        />
        <span className="font-normal text-muted">{unit}</span>
      </label>
      <button
        type="submit"
        className="grid h-full w-8 cursor-pointer place-items-center rounded-r-md text-muted hover:bg-sunken hover:text-ink"
      >
        <Icon path="M4.5 10h11M11 5.5l4.5 4.5-4.5 4.5" className="size-4" />
        <span className="sr-only">Apply</span>
      </button>
    </form>
  );
}

function Menu({ choice: { name, options }, path, filter, children }: ControlProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className="flex cursor-pointer items-center gap-1.5 rounded-md px-3 hover:bg-sunken"
      >
        {children}
        <Icon path="M5.5 8l4.5 4.5L14.5 8" className="size-4 text-muted" />
      </button>
      <ul id={id} popover="auto" className="filter-menu font-normal">
        {options.map(([value, optionLabel]) => (
          <li key={optionLabel}>
            <Link
              href={buildUrl(path, { ...filter, [name]: value })}
              scroll={false}
              aria-current={value === filter[name] ? "true" : undefined}
              className="flex h-9 items-center justify-between gap-4 px-3 hover:bg-sunken aria-[current]:font-medium"
            >
              {optionLabel}
              {value === filter[name] && <Icon path={CHECK} className="size-4 text-accent" />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

interface RowsProps extends Props {
  /** What the list has, in the plural. */
  noun: string;
  /** What matches without each filter, by its name: `12 agents`. */
  matches?: Record<string, string> | undefined;
  note?: string | undefined;
  /** Shown instead of an empty list that no filter narrows. */
  empty: ReactNode;
  /** The rows; null if there are none. */
  children: ReactNode;
}

/** Shows the rows of a list; instead of an empty one, links that each remove a filter. */
export function FilteredRows(props: RowsProps) {
  const { path, choices, filter, noun, matches, note, empty, children } = props;
  const active = choices.filter(({ name }) => filter[name] !== undefined);
  if (children !== null || active.length === 0)
    return (
      <div id={RESULTS} tabIndex={-1} className="outline-none">
        {children ?? empty}
      </div>
    );
  return (
    <EmptyState id={RESULTS} title={`No ${noun} match`}>
      {note && <p>{note}</p>}
      <ul className="mt-2 flex flex-wrap justify-center gap-2 text-sm">
        {active.map((choice) => (
          <li key={choice.name}>
            <Link
              href={removeChoices(path, filter, [choice])}
              className="flex min-h-9 items-center gap-1.5 rounded-md border border-field bg-raised px-3 text-ink hover:bg-sunken"
            >
              <Icon path={CROSS} className="size-4 text-muted" />
              <span>
                Remove {describe(choice, filter)}
                {matches && <span className="text-muted">{` (${matches[choice.name]})`}</span>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}

/** Names an active filter: `Verdict: Failure`, or a switch by its label. */
function describe({ name, label, options, unit }: FilterChoice, filter: Props["filter"]): string {
  const [, option = filter[name]] = options.find(([value]) => value === filter[name]) ?? [];
  return options.length === 1 ? String(option) : [`${label}: ${option}`, unit].join(" ").trim();
}

const removeChoices = (path: string, filter: Props["filter"], removed: readonly FilterChoice[]) =>
  buildUrl(path, { ...filter, ...Object.fromEntries(removed.map(({ name }) => [name, ""])) });
