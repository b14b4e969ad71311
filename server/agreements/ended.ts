import { AppError } from "@/server/lib/errors";
import type { AgreementRow } from "./public-agreement";
import { getEndedAt, getStatus } from "./status";

/** Returns the error for a change of an agreement that has ended at `now`. */
export function createEndedError(row: AgreementRow, now: Date): AppError {
  const status = getStatus(row, now);
  const detail = `The agreement ended at ${getEndedAt(row, now)?.toISOString()} as ${status}.`;
  return new AppError("agreement-ended", detail);
}
