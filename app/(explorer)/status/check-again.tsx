"use client";

import { useRefresh } from "@/components/ui/use-refresh";

const EVERY_MS = 60_000;
/** Every request of the page checks anew, so each poll makes one. */
const getTime = async () => String(Date.now());

/** Checks again every minute while the page is visible. */
export function CheckAgain() {
  useRefresh(getTime, "", EVERY_MS);
  return null;
}
