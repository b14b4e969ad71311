import type { ReactElement, ReactNode } from "react";

interface Props {
  /** Shown above both. */
  first?: ReactNode;
  /** Keyed. */
  rows: readonly ReactElement[];
  /** A sentence in place of the rows. */
  empty: ReactNode;
  /** Adds to the list. */
  form: ReactNode;
}

/** Shows a list of the owner beside the form that adds to it. */
export function ListAndForm({ first, rows, empty, form }: Props) {
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-8 lg:grid-cols-[3fr_2fr]">
      {first && <div className="min-w-0 lg:col-span-2">{first}</div>}
      {rows.length > 0 ? (
        <ul className="min-w-0 divide-y divide-line border-y border-line">
          {rows.map((row) => (
            <li key={row.key} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
              {row}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted">{empty}</p>
      )}
      {form && <div className="min-w-0 rounded-lg bg-sunken p-5">{form}</div>}
    </div>
  );
}
