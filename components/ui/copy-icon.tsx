"use client";

import { useCopy } from "./use-copy";

/** Copies `text`, by a sign alone: beside what is copied. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={copied ? "Copied" : label}
      title={copied ? "Copied" : label}
      className="inline-grid size-6 place-items-center rounded align-middle text-muted hover:bg-sunken hover:text-ink"
    >
      <svg viewBox="0 0 16 16" className="size-3.5" fill="none" aria-hidden="true">
        <path
          d={copied ? "M3 8.5l3.2 3.2L13 4.8" : "M5.5 5.5h7v7h-7zM3.5 10.5v-7h7"}
          stroke="currentColor"
          strokeWidth="1.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {/* No text of its own while it waits: what it stands in is one address. */}
      <span aria-live="polite" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </button>
  );
}
