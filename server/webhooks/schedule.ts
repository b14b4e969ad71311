/** From a failed attempt to the next one: 30 s, 2 min, 10 min. After the fourth there is none. */
const RETRY_DELAYS_MS = [30_000, 120_000, 600_000] as const;

/** When attempt `attempt` + 1 is due after `attempt` (from 1) failed at `failedAt`; null after the last. */
export function nextAttemptAt(attempt: number, failedAt: Date): Date | null {
  const delay = RETRY_DELAYS_MS[attempt - 1];
  return delay === undefined ? null : new Date(failedAt.getTime() + delay);
}

const FIVE_DAYS_MS = 5 * 24 * 60 * 60_000;

/**
 * What a delivery that failed at last, at `at`, means for its webhook: since when every delivery
 * has failed, and whether that is five days and the webhook has to be disabled.
 */
export function afterFailedDelivery(
  failingSince: Date | null,
  at: Date,
): { failingSince: Date; disable: boolean } {
  const since = failingSince ?? at;
  return { failingSince: since, disable: at.getTime() - since.getTime() >= FIVE_DAYS_MS };
}
