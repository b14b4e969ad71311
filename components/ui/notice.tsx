import type { ReactNode } from "react";
import { takeFocus } from "./take-focus";

interface Props {
  /** Screen readers interrupt for `alert` and wait for `status`. */
  role?: "alert" | "status";
  /** `done`: something succeeded. */
  kind?: "warning" | "done";
  title?: string;
  /** Whether it takes the focus, because it appears in place of what had it. */
  takesFocus?: boolean;
  children?: ReactNode;
}

const TONES = { warning: "bg-notice text-notice-ink", done: "bg-good/10 text-good" };

/** Highlights a warning or error and how to resolve it, or that something succeeded. */
export function Notice({ role, kind = "warning", title, takesFocus = false, children }: Props) {
  return (
    <div
      {...(takesFocus && { ref: takeFocus, tabIndex: -1 })}
      role={role}
      className={`rounded-md px-4 py-3 ${TONES[kind]}`}
    >
      {title && <p className="font-medium">{title}</p>}
      {children && <div className={title ? "mt-1 text-sm" : "text-sm"}>{children}</div>}
    </div>
  );
}

/** Explains why a list is empty and what to do next. */
export function EmptyState(props: { id?: string; title: string; children: ReactNode }) {
  const { id, title, children } = props;
  return (
    <div
      id={id}
      tabIndex={id ? -1 : undefined}
      className="rounded-lg border border-dashed border-line px-6 py-12 text-center"
    >
      <p className="font-serif text-xl font-semibold">{title}</p>
      <div className="mx-auto mt-2 max-w-prose text-muted">{children}</div>
    </div>
  );
}
