import type { ComponentProps, ReactNode } from "react";

interface Props extends ComponentProps<"details"> {
  /** What is inside, in a few words. */
  summary: ReactNode;
}

/** Shows details on demand, with less weight than a panel. */
export const Fold = ({ summary, children, ...details }: Props) => (
  <details {...details}>
    <summary className="min-h-6 w-fit cursor-pointer pointer-coarse:py-3 text-sm text-muted hover:text-ink">
      {summary}
    </summary>
    <div className="mt-3">{children}</div>
  </details>
);
