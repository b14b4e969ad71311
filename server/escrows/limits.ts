import { DAY_MS, HOUR_MS } from "@/server/lib/time";

// Apart from the rules, so that pages can use these without loading a validator.

/** What a job's description contains before the hash of the signed terms. */
export const DESCRIPTION_PREFIX = "standing:1:";

/**
 * How long after an agreement's `deliverBy` its job expires, at least and at most. Code decides within
 * minutes, also after a fault; the client's money is not locked for longer than that.
 */
export const EXPIRES_AFTER_MS = { min: 2 * HOUR_MS, max: 90 * DAY_MS };

/** How long a verdict waits for the submission to its escrow before it is recorded as unpaid. */
export const SUBMIT_WITHIN_MS = HOUR_MS;
