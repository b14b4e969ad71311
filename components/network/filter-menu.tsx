"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useOptimistic, useTransition } from "react";
import { HiddenFields } from "@/components/ui/hidden-fields";
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

const CONTROL =
  "flex h-9 items-center rounded-md border bg-paper has-[input[type=number]:focus]:outline-2 has-[input[type=number]:focus]:outline-accent";

/** Narrows a list at each change. Keeps its state in the URL, and works without JavaScript. */
export function FilterMenus({ path, choices, filter }: Props) {
  const router = useRouter();
  const [isPending, start] = useTransition();
  const [shown, show] = useOptimistic(filter);
  const apply = (change: Props["filter"]) =>
    start(() => {
      show({ ...shown, ...change });
      router.push(buildUrl(path, { ...shown, ...change }), { scroll: false });
    });
  const names = choices.map(({ name }) => name);
  const others = Object.entries(filter).filter(([name]) => !names.includes(name));
  return (
    <form
      action={path}
      aria-label="Filter"
      aria-busy={isPending}
      className="flex items-center gap-2 text-sm whitespace-nowrap *:shrink-0 max-md:-mx-4 max-md:-my-1 max-md:overflow-x-auto max-md:[mask-image:linear-gradient(to_left,transparent,black_2rem)] max-md:px-4 max-md:py-1 md:flex-wrap"
      onSubmit={(event) => {
        event.preventDefault();
        apply(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
      }}
    >
      <HiddenFields values={Object.fromEntries(others)} />
      {choices.map((choice) => (
        <Control
          key={choice.name}
          choice={choice}
          value={shown[choice.name]}
          onChoose={(value) => apply({ [choice.name]: value || undefined })}
        />
      ))}
      <noscript>
        <button type="submit" className="h-9 px-2 underline">
          Apply
        </button>
      </noscript>
      {names.some((name) => filter[name] !== undefined) && (
        <Link
          href={buildUrl(path, Object.fromEntries(others))}
          scroll={false}
          className="px-2 py-2 text-accent underline-offset-2 hover:underline"
        >
          Clear filters
        </Link>
      )}
    </form>
  );
}

interface ControlProps {
  choice: FilterChoice;
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}

/** Shows a number's field, a switch or a menu. */
function Control({ choice: { name, label, options, unit }, value, onChoose }: ControlProps) {
  const style = `${CONTROL} ${value === undefined ? "border-field" : "border-accent font-medium"}`;
  const [[first = "", firstLabel] = []] = options;
  if (options.length === 0) {
    return (
      <label className={`${style} gap-1.5 px-3`}>
        {label}
        <input
          // Follows the URL, except while it is edited.
          ref={(field) => {
            if (field && field !== document.activeElement) field.value = value ?? "";
          }}
          name={name}
          type="number"
          min="0"
          step="any"
          defaultValue={value}
          placeholder="Any"
          onBlur={({ target }) => target.value !== (value ?? "") && onChoose(target.value)}
          className="w-18 bg-transparent text-right outline-none [appearance:textfield] placeholder:text-muted"
        />
        <span className="font-normal text-muted">{unit}</span>
      </label>
    );
  }
  if (options.length === 1) {
    return (
      <label className={`${style} cursor-pointer gap-2 px-3 hover:bg-sunken`}>
        <input
          type="checkbox"
          name={name}
          value={first}
          checked={value !== undefined}
          onChange={({ target }) => onChoose(target.checked ? first : undefined)}
          className="size-4 accent-accent"
        />
        {firstLabel}
      </label>
    );
  }
  return (
    <select
      name={name}
      aria-label={label}
      value={value ?? ""}
      onChange={({ target }) => onChoose(target.value)}
      className={`${style} cursor-pointer px-2 hover:bg-sunken`}
    >
      {options.map(([option = "", optionLabel]) => (
        <option key={option} value={option}>
          {optionLabel}
        </option>
      ))}
    </select>
  );
}

interface RowsProps extends Props {
  /** What the list has, in the plural. */
  noun: string;
  note?: string | undefined;
  /** Shown instead of an empty list that no filter narrows. */
  empty: ReactNode;
  /** The rows; null if there are none. */
  children: ReactNode;
}

/** Shows the rows of a list, or why there are none. */
export function FilteredRows({ choices, filter, noun, note, empty, children }: RowsProps) {
  const isFiltered = choices.some(({ name }) => filter[name] !== undefined);
  return (
    <div id={RESULTS} tabIndex={-1} className="outline-none">
      {children ??
        (isFiltered ? (
          <EmptyState title={`No ${noun} match`}>{note ?? "Choose fewer filters."}</EmptyState>
        ) : (
          empty
        ))}
    </div>
  );
}
