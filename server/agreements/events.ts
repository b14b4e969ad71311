import { eventType } from "inngest";
import { z } from "zod";
import type { AppEvent } from "@/server/lib/context";

const agreementRef = z.object({ agreementId: z.string() });

/** A party signed terms; the other one can accept them. */
export const agreementProposed = eventType("agreement/proposed", { schema: agreementRef });

/** Both parties signed. */
export const agreementAgreed = eventType("agreement/agreed", { schema: agreementRef });

/** The upfront payment of the terms, or the funding of their escrow, was found on the chain. */
export const agreementPaid = eventType("agreement/paid", { schema: agreementRef });

/** It was delivered, reported, declined, cancelled, not accepted or paid in time, or not reported. */
export const agreementEnded = eventType("agreement/ended", { schema: agreementRef });

/** Returns one of these events, which each happen to an agreement once. */
export const createAgreementEvent = (
  { name }: { name: string },
  agreementId: string,
): AppEvent => ({ id: `${name.replace("/", "-")}:${agreementId}`, name, data: { agreementId } });
