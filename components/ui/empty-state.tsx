import type { ReactNode } from "react";

/** Explains what is missing and what to do next. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line px-6 py-12 text-center">
      <p className="font-serif text-xl font-semibold">{title}</p>
      <div className="mx-auto mt-2 max-w-prose text-muted">{children}</div>
    </div>
  );
}
