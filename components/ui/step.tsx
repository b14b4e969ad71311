import type { ReactNode } from "react";

/** Renders one step of a timeline, done or pending. */
export function Step({
  title,
  done,
  children,
}: {
  title: string;
  done: boolean;
  children: ReactNode;
}) {
  return (
    <li className="grid grid-cols-[1.25rem_1fr] gap-x-3">
      <svg viewBox="0 0 20 20" className="mt-0.5 size-5" fill="none" aria-hidden="true">
        <circle
          cx="10"
          cy="10"
          r="8"
          strokeWidth="1.5"
          className={done ? "fill-accent stroke-accent" : "stroke-muted"}
          strokeDasharray={done ? undefined : "3 3"}
        />
        {done && (
          <path d="M6.4 10.3l2.5 2.5 4.8-5.2" className="stroke-accent-ink" strokeWidth="1.8" />
        )}
      </svg>
      <div className="min-w-0">
        <p className="font-medium">
          {title}
          {!done && <span className="sr-only"> (not yet)</span>}
        </p>
        <div className="text-sm text-muted">{children}</div>
      </div>
    </li>
  );
}
