import type { outcomes } from "./tables";

/**
 * Returns whether the client confirmed a paid outcome: it submitted it, or had signed its terms.
 * Otherwise only the contractor claims that the payment was for this job.
 */
export const isClientConfirmed = ({
  submittedBy,
  agreed,
}: Pick<typeof outcomes.$inferSelect, "submittedBy" | "agreed">): boolean =>
  submittedBy === "requester" || agreed;
