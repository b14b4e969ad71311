import { DAY_MS, MINUTE_MS } from "@/server/lib/time";

// Apart from the schemas, so that pages can use these without loading a validator.

/**
 * Days after the success of delivered work from which it counts as unpaid, and a daily search takes over that also
 * finds payments that don't name its agreement; and until which a payment is found.
 */
export const PAYMENT_SEARCH_DAYS = { from: 7, until: 97 };

/** How long deliverable and pages can be read after the dispute window. Then their copies are deleted. */
export const READABLE_MS = 30 * DAY_MS;

/** From the deadline until the requester can report: a delivery that arrived in time comes first. */
export const REPORT_DELAY_MS = MINUTE_MS;

/** From the deadline until the requester can no longer report, and the agreement lapses. */
export const REPORT_WITHIN_MS = 30 * DAY_MS;
