"use client";

import { type MouseEvent, useState } from "react";
import { Icon } from "@/components/ui/icon";

const WAVES = "M3 8.2A4.8 4.8 0 017.8 13M3 3.6A9.4 9.4 0 0112.4 13M3.6 12.4h.01";
const CHECK = "M3 8.5l3.2 3.2L13 4.8";

/**
 * Adds the agent to the watch list of the signed-in owner. Everyone else follows the link, which asks
 * to sign in. Sends the request with plain `fetch`, so that public pages don't load the API's client.
 */
export function WatchButton({ wallet, className }: { wallet: string; className: string }) {
  const [isWatched, setWatched] = useState(false);
  async function watch(event: MouseEvent<HTMLAnchorElement>) {
    if (isWatched || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    const response = await fetch("/api/trpc/alerts.watch", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ walletAddress: wallet }),
    }).catch(() => null);
    if (response?.ok) setWatched(true);
    else location.href = href;
  }
  return (
    <a href={`/dashboard/alerts?watch=${wallet}`} onClick={watch} className={className}>
      <Icon path={isWatched ? CHECK : WAVES} className="size-4" strokeWidth={1.7} box={16} />
      <span aria-live="polite" className="max-sm:sr-only">
        {isWatched ? "Watching" : "Watch"}
      </span>
    </a>
  );
}
