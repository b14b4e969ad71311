"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Shows the page anew every few seconds while something is still to come and somebody looks. */
export function Follow({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}
