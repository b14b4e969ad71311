import type { ReactNode } from "react";
import type { ApiTag } from "@/server/pages/schema";
import { OperationNav } from "./operation-nav";

interface Props {
  tags: ApiTag[];
  /** Identifies the shown operation; null on the overview. */
  current: string | null;
  children: ReactNode;
}

/** Lays out a page of the reference beside its navigation, which folds away on small screens. */
export function DocsShell({ tags, current, children }: Props) {
  const entries = tags.map(({ name, operations }) => ({
    name,
    operations: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  }));
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-[12.5rem_minmax(0,1fr)]">
      <details className="rounded-lg border border-line bg-raised lg:hidden">
        <summary className="cursor-pointer px-4 py-2.5 font-medium">All operations</summary>
        <div className="px-3 pb-4">
          <OperationNav tags={entries} current={current} />
        </div>
      </details>
      <aside className="sticky top-4 hidden max-h-[calc(100dvh-2rem)] self-start overflow-y-auto p-0.5 pb-16 [scrollbar-width:thin] [mask-image:linear-gradient(to_bottom,black_calc(100%-4rem),transparent)] lg:block">
        <OperationNav tags={entries} current={current} />
      </aside>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
