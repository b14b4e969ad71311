import canonicalize from "canonicalize";
import { type Hex, hashTypedData, type TypedDataDefinition } from "viem";
import { summarize } from "@/packages/sdk/src/summarize";
import { sha256 } from "@/server/lib/hash";
import type { AgreementTypedData, Terms } from "./schema";
import { toTypedData, toUnixSeconds } from "./typed-data";

/** Returns the JSON of the terms that is hashed: canonical by RFC 8785. */
export function canonicalizeTerms(terms: Terms): string {
  const json = canonicalize(terms);
  if (json === undefined) throw new TypeError("the terms are not JSON");
  return json;
}

/** Returns the SHA-256 of the terms as canonical JSON. */
export const hashTerms = (terms: Terms): Hex => sha256(canonicalizeTerms(terms));

/** Returns what both parties of the terms sign; `registryAddress` in EIP-55 form. */
export const toTermsTypedData = (
  registryAddress: string,
  terms: Terms,
  termsHash: string,
): AgreementTypedData =>
  toTypedData(registryAddress, {
    ...terms,
    startBy: toUnixSeconds(terms.startBy),
    deliverBy: toUnixSeconds(terms.deliverBy),
    summary: summarize(terms),
    termsHash,
  });

/**
 * Returns the EIP-712 digest of what the parties sign. A payment by EIP-3009 with this nonce stands for
 * the requester's signature.
 */
export const hashAgreement = (registryAddress: string, terms: Terms, termsHash: string): Hex =>
  hashTypedData(toTermsTypedData(registryAddress, terms, termsHash) as TypedDataDefinition);
