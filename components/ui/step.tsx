import type { ReactNode } from "react";

interface StepProps {
  title: string;
  done: boolean;
  children: ReactNode;
}

/** Renders one step of a timeline, done or pending, with a line to the next one. */
export function Step({ title, done, children }: StepProps) {
  return (
    <li className="group grid grid-cols-[1.25rem_1fr] gap-x-3">
      <div className="grid grid-rows-[auto_1fr] justify-items-center gap-y-1 pt-0.5">
        <svg viewBox="0 0 20 20" className="size-5 text-muted" fill="none" aria-hidden="true">
          <circle
            cx="10"
            cy="10"
            r="8"
            strokeWidth="1.5"
            className={done ? "fill-ink stroke-ink" : "stroke-current"}
            strokeDasharray={done ? undefined : "3 3"}
          />
          {done && (
            <path d="M6.4 10.3l2.5 2.5 4.8-5.2" className="stroke-paper" strokeWidth="1.8" />
          )}
        </svg>
        <span className="w-px bg-line group-last:hidden" aria-hidden="true" />
      </div>
      <div className="min-w-0 pb-5 group-last:pb-0">
        <p className="font-medium">
          {title}
          {!done && <span className="sr-only"> (not yet)</span>}
        </p>
        <div className="text-sm text-muted">{children}</div>
      </div>
    </li>
  );
}
