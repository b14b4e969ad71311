import { useState } from "react";

const SAID_FOR_MS = 2_000;

/** Puts `text` into the clipboard, and says for two seconds that it is there. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_FOR_MS);
  };
  return { copied, copy };
}
