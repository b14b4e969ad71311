import { AppError } from "@/server/lib/errors";
import type { AgreementStatus } from "./schema";

interface Stored {
  status: AgreementStatus;
  startBy: Date;
  endedAt: Date | null;
}

/** Returns the status at `now`: a proposal expires at `startBy`, before a background run stores it. */
export function getStatus({ status, startBy }: Stored, now: Date): AgreementStatus {
  return status === "PROPOSED" && startBy <= now ? "EXPIRED" : status;
}

/** Returns when the agreement ended, or null if it has not at `now`. */
export function getEndedAt(stored: Stored, now: Date): Date | null {
  return stored.endedAt ?? (getStatus(stored, now) === "EXPIRED" ? stored.startBy : null);
}

/** Returns the error for a change of an agreement that has ended at `now`. */
export function createEndedError(stored: Stored, now: Date): AppError {
  const endedAt = getEndedAt(stored, now)?.toISOString();
  const detail = `The agreement ended at ${endedAt} as ${getStatus(stored, now)}.`;
  return new AppError("agreement-ended", detail);
}
