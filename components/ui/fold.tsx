import type { ReactNode } from "react";

interface Props {
  /** What is inside, in a few words. */
  summary: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Shows details on demand, with less weight than a panel. */
export const Fold = ({ summary, className, children }: Props) => (
  <details className={className}>
    <summary className="min-h-6 w-fit cursor-pointer text-sm text-muted hover:text-ink">
      {summary}
    </summary>
    <div className="mt-3">{children}</div>
  </details>
);
