import { useEffect, useMemo, useState } from "react";
import { getResult } from "@/components/outcomes/result";
import { formatCount } from "@/components/ui/format";
import { useNewKeys } from "@/components/ui/use-new-keys";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** Identifies an outcome and its result, so that a new result counts as an arrival. */
export const getArrivalKey = (outcome: PublicOutcome) =>
  `${outcome.outcomeId} ${getResult(outcome)}`;

/** An announcement is gone before it could be read as a part of the page. */
const ANNOUNCED_MS = 5_000;

/**
 * Returns the keys of what arrived while the page was open, and an announcement of it for screen readers.
 * Scrolls to the first row of the class `new-arrival`, unless something is being entered.
 */
export function useArrivals(outcomes: readonly PublicOutcome[]) {
  const fresh = useNewKeys(useMemo(() => outcomes.map(getArrivalKey), [outcomes]));
  const [announced, setAnnounced] = useState(0);
  useEffect(() => {
    setAnnounced(fresh.size);
    const timer = setTimeout(() => setAnnounced(0), ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [fresh]);
  useEffect(() => {
    if (fresh.size === 0 || document.activeElement?.matches("input, textarea, select")) return;
    document.querySelector(".new-arrival")?.scrollIntoView({ block: "nearest" });
  }, [fresh]);
  return {
    fresh,
    announcement: (
      <p aria-live="polite" className="sr-only">
        {announced > 0 && formatCount(announced, "new job or verdict", "new jobs or verdicts")}
      </p>
    ),
  };
}
