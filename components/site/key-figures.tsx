import type { CSSProperties, ReactNode } from "react";
import { Term } from "./term";

export interface KeyFigure {
  label: string;
  value: ReactNode;
  /** One line below the value. */
  note?: ReactNode;
}

/** Shows up to six figures in a row, two per row on phones. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  // Columns depend on the number of all figures, so that none moves while the page arrives.
  const columns = `repeat(${figures.length}, minmax(0, 1fr))`;
  return (
    <dl
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:[grid-template-columns:var(--columns)]"
      style={{ "--columns": columns } as CSSProperties}
    >
      {figures.map(({ label, value, note }, index) => (
        <div
          key={label}
          className={`min-w-0 bg-raised px-4 py-3.5 sm:px-5 sm:py-4 ${index % 2 === 0 && index === figures.length - 1 ? "max-lg:col-span-2" : ""}`}
        >
          <dt className="flex min-h-6 items-center text-sm text-muted">
            <Term>{label}</Term>
          </dt>
          <dd className="mt-0.5 text-lg leading-snug font-medium break-words sm:text-xl">
            {value}
          </dd>
          {note && <dd className="mt-1 text-sm break-words text-muted">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
