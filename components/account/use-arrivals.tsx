import { useEffect, useMemo } from "react";
import { getResult } from "@/components/outcomes/result";
import { formatCount } from "@/components/ui/format";
import { useNewKeys } from "@/components/ui/use-new-keys";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** Identifies an outcome and its result, so that a new result counts as an arrival. */
export const getArrivalKey = (outcome: PublicOutcome) =>
  `${outcome.outcomeId} ${getResult(outcome)}`;

/**
 * Returns the keys of what arrived while the page was open, and an announcement of it for screen readers.
 * Scrolls to the first row of the class `new-arrival`, unless something is being entered.
 */
export function useArrivals(outcomes: readonly PublicOutcome[]) {
  const fresh = useNewKeys(useMemo(() => outcomes.map(getArrivalKey), [outcomes]));
  useEffect(() => {
    if (fresh.size === 0 || document.activeElement?.matches("input, textarea, select")) return;
    document.querySelector(".new-arrival")?.scrollIntoView({ block: "nearest" });
  }, [fresh]);
  return {
    fresh,
    announcement: (
      <p aria-live="polite" className="sr-only">
        {fresh.size > 0 && formatCount(fresh.size, "new job or verdict", "new jobs or verdicts")}
      </p>
    ),
  };
}
