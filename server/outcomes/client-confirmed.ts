import type { outcomes } from "./tables";

/**
 * Returns whether the client confirmed a paid outcome: it submitted it, so it says itself what it paid
 * for. Otherwise only the contractor claims that the payment was for this job.
 */
export const isClientConfirmed = ({
  submittedBy,
}: Pick<typeof outcomes.$inferSelect, "submittedBy">): boolean => submittedBy === "requester";
