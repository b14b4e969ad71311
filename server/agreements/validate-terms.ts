import { refuseReservedAddress } from "@/server/chain/reserved-addresses";
import { findInvalidRequirement } from "@/server/judging/requirements/find-invalid-requirement";
import type { Requirement } from "@/server/judging/requirements/schema";
import type { Core } from "@/server/lib/context";
import { hasModel } from "@/server/lib/env";
import { AppError, type FieldError } from "@/server/lib/errors";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { createFieldErrors, jsonPointer } from "@/server/lib/to-app-error";
import { toChecksumAddress } from "@/server/lib/wallet";
import { canonicalizeTerms } from "./hash-terms";
import { MAX_TERMS_BYTES, type Terms } from "./schema";

interface Validation {
  /** The database's time. */
  now: Date;
  /** Where the terms are in the request's body. */
  path: string[];
  queueKey: QueueKey;
}

/** Latest deadline. */
const MAX_TERM_MS = 365 * DAY_MS;
/** Deepest nesting of the terms, which code that calls itself reads later. */
const MAX_DEPTH = 32;

/**
 * Checks what the schema of the terms cannot: parties, chain, deadline, size, and whether code can
 * decide the requirements. Throws `invalid-request` with the invalid fields, `same-party`,
 * `invalid-party` and `no-model`.
 */
export async function validateTerms(
  { chain, env }: Pick<Core, "chain" | "env">,
  terms: Terms,
  { now, path, queueKey }: Validation,
): Promise<void> {
  const at = (...steps: PropertyKey[]) => jsonPointer([...path, ...steps]);
  const unstorable = findUnstorable(terms, []);
  if (unstorable) throw createFieldErrors([{ ...unstorable, pointer: at(...unstorable.path) }]);

  const errors = [
    ...findWrongCase(terms, at),
    ...findWrongChain(terms, chain.id, at),
    ...findWrongDeadline(terms, now, at),
    ...findWrongSize(terms, at),
  ];
  if (errors.length > 0) throw createFieldErrors(errors);

  const { requester, contractor } = terms;
  if (requester === contractor) {
    const detail = "is the requester's wallet too; an agreement is between two agents";
    throw new AppError("same-party", `${at("contractor")} ${detail}.`, {
      errors: [{ pointer: at("contractor"), detail, code: "same-party" }],
    });
  }
  refuseReservedAddress(chain, requester, [...path, "requester"].join("/"));
  refuseReservedAddress(chain, contractor, [...path, "contractor"].join("/"));
  if (terms.criteria.length > 0 && !hasModel(env)) {
    const detail = "needs a language model, which this service does not have; send an empty list";
    throw new AppError("no-model", `${at("criteria")} ${detail}.`, {
      errors: [{ pointer: at("criteria"), detail, code: "no-model" }],
    });
  }
  await validateRequirements(terms.requirements, { path, queueKey });
}

/** Throws `invalid-request` if a requirement can't be decided, such as one with an invalid pattern. */
export async function validateRequirements(
  requirements: Requirement[],
  { path, queueKey }: Omit<Validation, "now">,
): Promise<void> {
  const invalid = await findInvalidRequirement(requirements, queueKey);
  if (!invalid) return;
  const pointer = jsonPointer([...path, "requirements", ...invalid.path]);
  throw createFieldErrors([{ pointer, detail: invalid.detail, code: "invalid-value" }]);
}

type At = (...steps: PropertyKey[]) => string;

function findWrongCase(terms: Terms, at: At): FieldError[] {
  return (["requester", "contractor"] as const).flatMap((party) => {
    const suggestion = toChecksumAddress(terms[party]);
    if (suggestion === terms[party]) return [];
    const detail = `must be in EIP-55 form, which is signed: ${suggestion}`;
    return { pointer: at(party), detail, code: "invalid-format", suggestion };
  });
}

function findWrongChain({ chainId }: Terms, expected: number, at: At): FieldError[] {
  if (chainId === expected) return [];
  const detail = `must be ${expected}, the chain of this service's registry`;
  return [{ pointer: at("chainId"), detail, code: "wrong-chain", suggestion: String(expected) }];
}

function findWrongDeadline({ deliverBy }: Terms, now: Date, at: At): FieldError[] {
  const remainingMs = Date.parse(deliverBy) - now.getTime();
  if (remainingMs >= MINUTE_MS && remainingMs <= MAX_TERM_MS) return [];
  const detail = `must be between 1 minute and 365 days from now, which is ${now.toISOString()}`;
  return [{ pointer: at("deliverBy"), detail, code: "invalid-value" }];
}

function findWrongSize(terms: Terms, at: At): FieldError[] {
  const bytes = Buffer.byteLength(canonicalizeTerms(terms));
  if (bytes <= MAX_TERMS_BYTES) return [];
  const detail = `has ${bytes} bytes as canonical JSON, and may have ${MAX_TERMS_BYTES}; shorten the task or the requirements`;
  return [{ pointer: at(), detail, code: "too-big" }];
}

/**
 * Returns the first place of a JSON value that can't be hashed, or not be stored exactly; null if there
 * is none. Parts such as a JSON Schema are values of any shape.
 */
function findUnstorable(
  value: unknown,
  path: PropertyKey[],
): (Omit<FieldError, "pointer"> & { path: PropertyKey[] }) | null {
  const refuse = (detail: string) => ({ path, detail, code: "invalid-value" });
  if (path.length > MAX_DEPTH) return refuse(`is nested more than ${MAX_DEPTH} levels deep`);
  if (typeof value === "string" && !isStorable(value)) {
    return refuse("must be well-formed Unicode without the NUL character");
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    return refuse("is a number that JSON implementations do not agree on");
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) {
      return refuse("has a name that is not well-formed Unicode without the NUL character");
    }
    const found = findUnstorable(member, [...path, name]);
    if (found) return found;
  }
  return null;
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");
