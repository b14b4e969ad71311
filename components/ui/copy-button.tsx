"use client";

import { useState } from "react";
import { Icon } from "./icon";

const CONFIRM_MS = 2_000;
const LOOKS = {
  word: "pointer-coarse:min-h-11 rounded-md border border-line bg-raised px-2 py-0.5 text-xs text-muted hover:bg-sunken hover:text-ink",
  primary: "min-h-11 rounded-md bg-accent px-4 font-medium text-accent-ink hover:opacity-90",
  icon: "relative pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5 inline-grid size-6 place-items-center rounded align-middle text-muted hover:bg-sunken hover:text-ink",
};

interface Props {
  text: string;
  label: string;
  /** `icon`: next to the copied value, in place of a word. */
  look?: keyof typeof LOOKS;
}

/** Copies `text` and confirms it for two seconds, visibly and to screen readers. */
export function CopyButton({ text, label, look = "word" }: Props) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRM_MS);
  };
  const isIcon = look === "icon";
  const name = copied ? "Copied" : label;
  const path = copied ? "M3 8.5l3.2 3.2L13 4.8" : "M5.5 5.5h7v7h-7zM3.5 10.5v-7h7";
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={name}
      title={isIcon ? name : undefined}
      className={LOOKS[look]}
    >
      {isIcon && <Icon path={path} className="size-3.5" strokeWidth={1.4} box={16} />}
      {/* Beside an icon empty until copied, so that selecting the value doesn't include it. */}
      <span aria-live="polite" className={isIcon ? "sr-only" : undefined}>
        {copied ? "Copied" : !isIcon && "Copy"}
      </span>
    </button>
  );
}
