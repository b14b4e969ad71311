import { useEffect, useMemo, useState } from "react";
import { getResult, nameResult } from "@/components/outcomes/result";
import { capitalize } from "@/components/ui/format";
import { formatPoints, hasPoints } from "@/components/ui/points";
import { useNewKeys } from "@/components/ui/use-new-keys";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { describeJob, type JobNames, toJob } from "./job-row";
import type { Moves } from "./own-records";

/** Identifies an outcome and its result, so that a new result counts as an arrival. */
export const getArrivalKey = (outcome: PublicOutcome) =>
  `${outcome.outcomeId} ${getResult(outcome)}`;

/** An announcement is gone before it could be read as a part of the page. */
const ANNOUNCED_MS = 5_000;

interface Listed {
  jobNames: JobNames;
  moves: Moves;
}

/**
 * Returns the keys of what arrived while the page was open, and an announcement of it for screen readers.
 * Scrolls to the first row of the class `new-arrival`, unless something is being entered.
 */
export function useArrivals(outcomes: readonly PublicOutcome[], listed: Listed) {
  const fresh = useNewKeys(useMemo(() => outcomes.map(getArrivalKey), [outcomes]));
  const [isAnnounced, setAnnounced] = useState(false);
  useEffect(() => {
    setAnnounced(fresh.size > 0);
    const timer = setTimeout(() => setAnnounced(false), ANNOUNCED_MS);
    if (fresh.size > 0 && !document.activeElement?.matches("input, textarea, select")) {
      document.querySelector(".new-arrival")?.scrollIntoView({ block: "nearest" });
    }
    return () => clearTimeout(timer);
  }, [fresh]);
  return {
    fresh,
    announcement: (
      <p aria-live="polite" className="sr-only">
        {isAnnounced &&
          outcomes
            .filter((outcome) => fresh.has(getArrivalKey(outcome)))
            .map((outcome) => describeArrival(outcome, listed))
            .join(". ")}
      </p>
    ),
  };
}

/** Says what the list shows of an outcome: `Success, +8.20: Review of the date parser`. */
function describeArrival(outcome: PublicOutcome, { jobNames, moves }: Listed): string {
  const points = moves[outcome.outcomeId] ?? 0;
  const result = capitalize(nameResult(getResult(outcome)));
  const change = hasPoints(points) ? `, ${formatPoints(points)}` : "";
  return `${result}${change}: ${describeJob(toJob(outcome, jobNames))}`;
}
