import canonicalize from "canonicalize";
import type { X402Receipt } from "@/server/chain/schema";
import { sha256 } from "@/server/lib/hash";
import type { Verdict } from "@/server/lib/schema";
import type { Consent } from "./requirements/agreed-terms";
import type { RequirementResult } from "./requirements/schema";

/**
 * The data that the on-chain hash commits to; all of it is public. Anything derived from private
 * texts is salted, because a short text could be guessed from a bare hash. Fields are null if the
 * judge asked no model, or if the deliverable was not a fetched document.
 */
export interface Evidence {
  outcomeId: string;
  taskHash: string;
  deliverableHash: string;
  documentHash: string | null;
  checksHash: string | null;
  examinationsHash: string | null;
  verdict: Verdict;
  confPpm: number;
  judgeVersion: string;
  /** Of the public reasoning, so not salted. */
  reasoningHash: string;
  /** The signed terms and how each requirement came out; absent without an agreement. */
  agreement?: AgreementEvidence;
  /** The contractor's signed receipt of the payment; absent unless one was submitted. */
  x402Receipt?: X402Receipt;
  /** Part of a simulated history; no judge was involved. */
  simulated?: true;
}

export interface AgreementEvidence extends Consent {
  termsHash: string;
  /** In the order of the terms. Empty if nothing was delivered. */
  requirements: Pick<RequirementResult, "description" | "passed" | "observed">[];
}

/** The subject's salt and the salted commitments to its private texts. */
export interface Commitments {
  salt: Uint8Array;
  taskHash: string;
  deliverableHash: string;
}

/**
 * Returns the public commitment to a secret: SHA-256 of the salt followed by the secret, text as
 * UTF-8. Guesses cannot be checked without the salt.
 */
export function commitTo(salt: Uint8Array, secret: string | Uint8Array): `0x${string}` {
  return sha256(Buffer.concat([salt, Buffer.from(secret)]));
}

/** Like `commitTo`, for the bytes of a hex hash. Returns null if `hash` is undefined. */
export function commitToHash(salt: Uint8Array, hash: string | undefined): `0x${string}` | null {
  return hash === undefined ? null : commitTo(salt, Buffer.from(hash.slice(2), "hex"));
}

/** Returns the SHA-256 of `value`'s canonical JSON (RFC 8785). */
export function hashJson(value: unknown): `0x${string}` {
  const json = canonicalize(value);
  if (json === undefined) throw new TypeError("nothing to hash");
  return sha256(json);
}
