"use client";

import { useState } from "react";
import { Icon } from "@/components/ui/icon";

interface Props {
  title: string;
  /** Absolute URL to share. */
  url: string;
}

const SHARE = "M8 10V1.8M5 4.6L8 1.6l3 3M5.2 7H3.5v7h9V7h-1.7";
const CHECK = "M3 8.5l3.2 3.2L13 4.8";

const CONFIRM_MS = 2_000;

/** Opens the system's share sheet; copies the link if there is none. */
export function ShareButton({ title, url }: Props) {
  const [status, setStatus] = useState<"copied" | "failed" | null>(null);
  const share = async () => {
    try {
      if (navigator.share) return await navigator.share({ title, url });
      await navigator.clipboard.writeText(url);
      setStatus("copied");
    } catch (error) {
      // The visitor closed the share sheet.
      if (error instanceof DOMException && error.name === "AbortError") return;
      setStatus("failed");
    }
    setTimeout(() => setStatus(null), CONFIRM_MS);
  };
  return (
    <button
      type="button"
      onClick={share}
      className="needs-script inline-flex h-9 items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 text-sm hover:bg-sunken"
    >
      <Icon
        path={status === "copied" ? CHECK : SHARE}
        className="size-4"
        strokeWidth={1.4}
        box={16}
      />
      <span aria-live="polite" className="max-sm:sr-only">
        {status === null ? "Share" : status === "copied" ? "Link copied" : "Couldn't share"}
      </span>
    </button>
  );
}
