import type { ReactNode } from "react";
import type { ApiTag } from "@/server/pages/schema";
import { OperationNav } from "./operation-nav";

interface Props {
  tags: ApiTag[];
  /** Identifies the shown operation; null on the overview. */
  current: string | null;
  children: ReactNode;
}

/** Lays out a page of the reference beside its navigation, which small screens have at the end. */
export function DocsShell({ tags, current, children }: Props) {
  const entries = tags.map(({ name, operations }) => ({
    name,
    operations: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  }));
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-[12.5rem_minmax(0,1fr)]">
      <div className="min-w-0">
        <p className="mb-4 lg:hidden">
          <a href="#operations" className="underline underline-offset-2">
            All operations
          </a>
        </p>
        {children}
      </div>
      <aside
        id="operations"
        className="scroll-mt-6 p-0.5 max-lg:mt-8 lg:sticky lg:top-4 lg:col-start-1 lg:row-start-1 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:pb-16 lg:[scrollbar-width:thin] lg:[mask-image:linear-gradient(to_bottom,black_calc(100%-4rem),transparent)]"
      >
        <OperationNav tags={entries} current={current} />
      </aside>
    </div>
  );
}
