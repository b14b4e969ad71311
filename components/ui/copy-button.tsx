"use client";

import { useState } from "react";

const CONFIRM_MS = 2_000;

/** Copies `text` and confirms it for two seconds, visibly and to screen readers. */
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

/** Copies `text`; an icon-only button next to the copied value. */
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
      {/* Empty until copied, so that selecting the address doesn't include it. */}
      <span aria-live="polite" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </button>
  );
}

/** Copies `text` to the clipboard; `copied` stays true for two seconds. */
function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRM_MS);
  };
  return { copied, copy };
}
