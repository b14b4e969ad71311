import { DAY_MS, SECOND_MS } from "@/server/lib/time";
import { RETRY_SECONDS, type RetrySchedule } from "./schema";

/**
 * Returns when the attempt after `attempt` (from 1), which failed at `failedAt`, is due; null after
 * the last.
 */
export function getNextAttemptTime(
  schedule: RetrySchedule,
  attempt: number,
  failedAt: Date,
): Date | null {
  const seconds = RETRY_SECONDS[schedule][attempt - 1];
  return seconds === undefined ? null : new Date(failedAt.getTime() + seconds * SECOND_MS);
}

const FIVE_DAYS_MS = 5 * DAY_MS;

/**
 * Returns the failing state of a webhook after a delivery failed permanently at `at`: when its
 * consecutive failures began, and whether to disable it because that is five days ago.
 */
export function updateFailingState(
  failingSince: Date | null,
  at: Date,
): { failingSince: Date; disable: boolean } {
  const since = failingSince ?? at;
  return { failingSince: since, disable: at.getTime() - since.getTime() >= FIVE_DAYS_MS };
}
