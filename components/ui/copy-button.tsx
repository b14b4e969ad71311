"use client";

import { useCopy } from "./use-copy";

/** Copies `text`; says so for two seconds, to everybody. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={copied ? "Copied" : label}
      className="rounded-md border border-line bg-raised px-2 py-0.5 text-xs text-muted hover:bg-sunken hover:text-ink"
    >
      <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
    </button>
  );
}
