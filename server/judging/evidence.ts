import canonicalize from "canonicalize";
import { sha256 } from "@/server/lib/hash";
import type { Verdict } from "@/server/lib/schema";

/**
 * What the hash on chain commits to; all of it is public. Whatever was made from private texts is
 * salted: from a bare hash a short text could be guessed. A judge without rubric or votes leaves
 * null there, and so does a deliverable that was no fetched document.
 */
export interface Evidence {
  outcomeId: string;
  taskHash: string;
  deliverableHash: string;
  documentHash: string | null;
  rubricHash: string | null;
  votesHash: string | null;
  verdict: Verdict;
  confPpm: number;
  judgeVersion: string;
  /** Nobody judged it: part of a simulated history. */
  simulated?: true;
}

/** What makes private texts public facts: the subject's salt, and the commitments made with it. */
export interface Commitments {
  salt: Uint8Array;
  taskHash: string;
  deliverableHash: string;
}

/**
 * Public commitment to something private: SHA-256 of the salt followed by it, text as UTF-8. Nobody
 * without the salt can tell whether a guess is right.
 */
export function commitTo(salt: Uint8Array, secret: string | Uint8Array): `0x${string}` {
  return sha256(Buffer.concat([salt, Buffer.from(secret)]));
}

/** As `commitTo`, of the bytes that a hash stands for; null of none. */
export function commitToHash(salt: Uint8Array, hash: string | undefined): `0x${string}` | null {
  return hash === undefined ? null : commitTo(salt, Buffer.from(hash.slice(2), "hex"));
}

/** SHA-256 of `value`'s canonical JSON (RFC 8785). */
export function hashJson(value: unknown): `0x${string}` {
  const json = canonicalize(value);
  if (json === undefined) throw new TypeError("nothing to hash");
  return sha256(json);
}

/** The `evidenceHash` of the record on chain: SHA-256 of the evidence's canonical JSON (RFC 8785). */
export function evidenceHash(evidence: Evidence): `0x${string}` {
  return hashJson(evidence);
}
