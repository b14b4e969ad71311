import type { Dispute } from "./schema";

interface State {
  status: "OPEN" | "RESOLVED";
  expiresAt: Date;
  reviewStartedAt: Date | null;
  judgedAt: Date | null;
}

/** Checks if the other party may still add its stake. */
export function isAnswerable(dispute: State, now: Date): boolean {
  return dispute.status === "OPEN" && dispute.reviewStartedAt === null && now < dispute.expiresAt;
}

/** Returns what a dispute waits for, given the number of paid stakes. */
export function phaseOf(dispute: State, stakes: number, now: Date): Dispute["phase"] {
  if (dispute.status === "RESOLVED") return "resolved";
  if (dispute.judgedAt !== null) return "recording";
  return stakes < 2 && isAnswerable(dispute, now) ? "awaiting-answer" : "in-review";
}
