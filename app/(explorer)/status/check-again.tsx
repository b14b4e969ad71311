"use client";

import { useRefresh } from "@/components/ui/use-refresh";

const EVERY_MS = 60_000;
/** Differs at each poll, since only a new request of the page makes a check. */
const getTime = async () => String(Date.now());

/** Checks again every minute while the page is visible. */
export function CheckAgain() {
  useRefresh(getTime, "", EVERY_MS);
  return null;
}
