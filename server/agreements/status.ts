import { AppError } from "@/server/lib/errors";
import { DAY_MS } from "@/server/lib/time";
import type { AgreementStatus, Terms } from "./schema";

interface Stored {
  status: AgreementStatus;
  terms: Pick<Terms, "payment">;
  valueMicro: bigint;
  startBy: Date;
  deliverBy: Date;
  contractorSignature: string | null;
  paymentTransferId: string | null;
  paidAt: Date | null;
  endedAt: Date | null;
}

/** From the deadline until an unreported agreement has lapsed. */
const LAPSE_MS = 30 * DAY_MS;

/** Returns whether the requester pays before the work. */
export const isUpfront = ({ terms, valueMicro }: Pick<Stored, "terms" | "valueMicro">): boolean =>
  terms.payment === "upfront" && valueMicro > 0n;

/**
 * Returns whether the terms lack the money without which they have no outcome: an upfront payment, or
 * from `startBy` on the funding of the escrow.
 */
export const lacksMoney = (stored: Omit<Stored, "status">, now: Date): boolean =>
  stored.paidAt === null &&
  (isUpfront(stored) || (stored.terms.payment === "escrow" && stored.startBy < now));

/**
 * Returns the status at `now`: what time alone ends has ended before a background run stores it. Whether
 * upfront terms were paid in time only the chain decides.
 */
export function getStatus(stored: Stored, now: Date): AgreementStatus {
  const { status, startBy, contractorSignature, paymentTransferId } = stored;
  const isUnpaid = isUpfront(stored) && paymentTransferId === null;
  if (status === "PROPOSED" && startBy <= now) {
    return isUnpaid && contractorSignature !== null ? status : "EXPIRED";
  }
  return status === "AGREED" && getLapse(stored) <= now && !isUnpaid ? "LAPSED" : status;
}

const getLapse = ({ deliverBy }: Stored) => new Date(deliverBy.getTime() + LAPSE_MS);

/** Returns when the agreement ended, or null if it has not at `now`. */
export function getEndedAt(stored: Stored, now: Date): Date | null {
  if (stored.endedAt) return stored.endedAt;
  const status = getStatus(stored, now);
  if (status === "LAPSED") return getLapse(stored);
  return status === "EXPIRED" ? stored.startBy : null;
}

/** Returns the error for a change of an agreement that has ended at `now`. */
export function createEndedError(stored: Stored, now: Date): AppError {
  const endedAt = (getEndedAt(stored, now) ?? stored.startBy).toISOString();
  const status = getStatus(stored, now);
  const detail =
    status === "PROPOSED"
      ? `The agreement could be signed until ${endedAt}.`
      : `The agreement ended at ${endedAt} as ${status}.`;
  return new AppError("agreement-ended", detail);
}
