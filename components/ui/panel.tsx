import type { ReactNode } from "react";
import { Icon } from "./icon";

interface Props {
  /** Fragment that links to it. */
  id?: string;
  title: ReactNode;
  /** One line below the title. */
  note?: ReactNode;
  children: ReactNode;
}

export function Panel({ id, title, note, children }: Props) {
  return (
    <section id={id} className="scroll-mt-6 rounded-lg border border-line bg-raised p-5 sm:p-6">
      <h2 className="text-xl font-semibold">{title}</h2>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}

interface FoldedPanelProps {
  /** Fragment that links to it. */
  id?: string;
  title: string;
  /** What is inside, in a few words. */
  note: string;
  children: ReactNode;
}

/** Renders a panel that shows its content on demand. */
export function FoldedPanel({ id, title, note, children }: FoldedPanelProps) {
  return (
    <details className="group rounded-lg border border-line bg-raised">
      <summary className="flex cursor-pointer list-none items-baseline gap-3 rounded-lg px-5 py-4 hover:bg-sunken sm:px-6 [&::-webkit-details-marker]:hidden">
        <h2 className="text-lg font-semibold">{title}</h2>
        <span className="min-w-0 flex-1 text-sm text-muted">{note}</span>
        <Icon
          path="M4 6l4 4 4-4"
          className="size-4 shrink-0 self-center text-muted group-open:rotate-180"
          box={16}
        />
      </summary>
      {/* Browsers open a panel whose content is linked to. */}
      <div id={id} className="scroll-mt-24 px-5 pt-2 pb-5 sm:px-6 sm:pb-6">
        {children}
      </div>
    </details>
  );
}
