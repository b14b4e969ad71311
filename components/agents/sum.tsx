import type { ReactNode } from "react";

export type Summand = readonly [name: string, value: string, note?: ReactNode];

/** Shows how figures add up; the last one is the result. */
export const Sum = ({ rows }: { rows: readonly Summand[] }) => (
  <dl className="grid content-start gap-3">
    {rows.map(([name, value, note], at) => {
      const isResult = at === rows.length - 1;
      return (
        <div
          key={name}
          className={`grid grid-cols-[1fr_auto] items-baseline gap-x-4 ${isResult ? "border-t border-line pt-2" : ""}`}
        >
          <dt className="font-medium">{name}</dt>
          <dd className={isResult ? "font-serif text-2xl font-semibold" : "font-medium"}>
            {value}
          </dd>
          {note && <dd className="text-sm text-muted">{note}</dd>}
        </div>
      );
    })}
  </dl>
);
