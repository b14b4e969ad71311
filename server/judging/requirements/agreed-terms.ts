import type { CodeWorld } from "@/server/judging/checks/code/code-run";
import { sha256 } from "@/server/lib/hash";
import type { Delivered } from "./requirement-decider";
import type { Requirement, RequirementResult } from "./schema";

/** What both parties signed, as far as it decides the verdict. */
export interface AgreedTerms {
  /** SHA-256 of the signed document. */
  termsHash: string;
  /** All must hold. */
  requirements: Requirement[];
  /** Sentences that only a model can decide; all must be met. */
  criteria: string[];
  /** The check that this deliverable has passed, with what was fetched then as documents of `subjectId`. */
  passedCheck?: { subjectId: string; results: RequirementResult[] } | undefined;
  /** What proves the consent of both; part of the public evidence. */
  consent: Consent;
}

/** What anyone needs, besides the record, to recover the signers of an agreement. */
export interface Consent {
  /** Unix seconds. */
  startBy: number;
  deliverBy: number;
  /** The terms in a few words, as both wallets signed them. */
  summary: string;
  /** When the second party signed, by the service's clock, ISO 8601. No signature covers it. */
  agreedAt: string;
  contractorSignature: string;
  /** Block at which a contract wallet confirmed its signature; null for a plain account. */
  contractorBlock: number | null;
  requesterBlock: number | null;
  /** Null if the requester signed by paying. */
  requesterSignature: string | null;
  /** Transaction whose `AuthorizationUsed` event stands for the requester's signature. */
  paymentTxHash: string | null;
}

/** Returns the SHA-256 of the bytes received: of the document behind the URL, or of the submitted text. */
export const hashDelivered = ({ file, text }: Delivered): string =>
  file?.sha256 ?? sha256(text ?? "");

/**
 * Returns clock and random numbers for the programs of an agreed deliverable: the same bytes have the same
 * result at every time, and the numbers can't be known before the bytes. `deliverBy` is in Unix seconds.
 */
export const createCodeWorld = (
  { termsHash, deliverBy }: { termsHash: string; deliverBy: number },
  delivered: Delivered,
): CodeWorld => ({
  startsAt: deliverBy * 1000,
  seed: sha256(termsHash + hashDelivered(delivered)).slice(2),
});
