import type { AgreementStatus } from "./schema";

interface Stored {
  status: AgreementStatus;
  acceptBy: Date;
  endedAt: Date | null;
}

/** Returns the status at `now`: a proposal expires at `acceptBy`, before a background run stores it. */
export function getStatus({ status, acceptBy }: Stored, now: Date): AgreementStatus {
  return status === "PROPOSED" && acceptBy <= now ? "EXPIRED" : status;
}

/** Returns when the agreement ended, or null if it has not at `now`. */
export function getEndedAt(stored: Stored, now: Date): Date | null {
  return stored.endedAt ?? (getStatus(stored, now) === "EXPIRED" ? stored.acceptBy : null);
}
