import type { ReactNode } from "react";

export interface KeyFigure {
  label: string;
  value: ReactNode;
  /** One line below the value. */
  note?: ReactNode;
}

/** Shows up to six figures in a row, two per row on phones. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-flow-col lg:auto-cols-fr lg:grid-cols-none">
      {figures.map(({ label, value, note }) => (
        <div
          key={label}
          className="min-w-0 bg-raised px-4 py-3.5 max-lg:last:odd:col-span-2 sm:px-5 sm:py-4"
        >
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="mt-1 text-lg leading-snug font-medium break-words sm:text-xl">{value}</dd>
          {note && <dd className="mt-1 text-sm break-words text-muted">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
