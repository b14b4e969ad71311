import { refuseReservedAddress } from "@/server/chain/reserved-addresses";
import { findInvalidRequirement } from "@/server/judging/requirements/find-invalid-requirement";
import type { Requirement } from "@/server/judging/requirements/schema";
import type { Context, Core } from "@/server/lib/context";
import { countModels } from "@/server/lib/env";
import { AppError, type FieldError } from "@/server/lib/errors";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { createFieldErrors, jsonPointer } from "@/server/lib/to-app-error";
import { toChecksumAddress } from "@/server/lib/wallet";
import { hashClientKey } from "@/server/rate-limit/client";
import { canonicalizeTerms } from "./hash-terms";
import { MAX_TERMS_BYTES, type Terms } from "./schema";

interface Validation {
  /** The database's time. */
  now: Date;
  /** Where the terms are in the request's body. */
  path: string[];
  queueKey: QueueKey;
}

const MIN_TERM_MS = 2 * MINUTE_MS;
const MAX_TERM_MS = 365 * DAY_MS;
/** Longest time to accept. */
const MAX_START_MS = 7 * DAY_MS;
/** An escrow's smallest value: each decision costs the service a transaction. */
const MIN_ESCROW_MICRO = 500_000n;
/** Deepest nesting of the terms, which code that calls itself reads later. */
const MAX_DEPTH = 32;

/**
 * Checks what the schema of the terms cannot: parties, chain, times, size, whether the terms fit each
 * other, and whether code can decide the requirements. Throws `invalid-request` with the invalid fields,
 * `same-party`, `invalid-party`, `terms-contradictory` `evaluator-unavailable` and `no-model`.
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
    ...findWrongTime(terms, now, at),
    ...findWrongSize(terms, at),
  ];
  if (errors.length > 0) throw createFieldErrors(errors);

  const { requester, contractor } = terms;
  if (requester === contractor) {
    const detail = "is the requester's wallet too; an agreement is between two agents";
    const code = "same-party";
    throw createFieldErrors([{ pointer: at("contractor"), detail, code }], code);
  }
  refuseReservedAddress(chain, requester, [...path, "requester"].join("/"));
  refuseReservedAddress(chain, contractor, [...path, "contractor"].join("/"));
  const contradictions = findContradictions(terms, at);
  if (contradictions.length > 0) throw createFieldErrors(contradictions, "terms-contradictory");
  if (terms.payment === "escrow" && !chain.escrows) {
    throw new AppError("evaluator-unavailable", "No escrow contract is configured.");
  }
  const models = countModels(env);
  if (terms.criteria.length > 0 && models < (terms.payment === "escrow" ? 2 : 1)) {
    const detail =
      models === 0
        ? "needs a language model, which this service does not have; send an empty list"
        : "of an escrow need two language models, and this service has one; send an empty list";
    throw createFieldErrors([{ pointer: at("criteria"), detail, code: "no-model" }], "no-model");
  }
  await validateRequirements(terms.requirements, { path, queueKey });
}

/** Throws `agreement-mismatch` for a URL under terms that only take content. */
export function refuseUrl({ delivery }: Pick<Terms, "delivery">, deliverableUrl: unknown): void {
  if (deliverableUrl === undefined || delivery === "content-or-url") return;
  const detail = "must be left out: the terms take `deliverableContent` alone";
  const error = { pointer: "#/deliverableUrl", detail, code: "not-as-agreed" };
  throw createFieldErrors([error], "agreement-mismatch");
}

/** Returns whose turn the work of a request is: the same as that of the agent's submissions. */
export const getQueueKey = (
  { env, request }: Pick<Context, "env" | "request">,
  agent: { id: string },
): QueueKey => [hashClientKey(env, request.ip, "submission").toString("hex"), agent.id];

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

/** The contractor has at least half of the time: a later acceptance could leave it none to deliver. */
function findWrongTime({ startBy, deliverBy }: Terms, now: Date, at: At): FieldError[] {
  const refuse = (field: string, detail: string) => [
    { pointer: at(field), detail, code: "invalid-value" },
  ];
  const termMs = Date.parse(deliverBy) - now.getTime();
  if (termMs < MIN_TERM_MS || termMs > MAX_TERM_MS) {
    const detail = `must be between 2 minutes and 365 days from now; now is ${now.toISOString()}`;
    return refuse("deliverBy", detail);
  }
  const startMs = Date.parse(startBy) - now.getTime();
  const latestMs = Math.min(MAX_START_MS, termMs / 2);
  if (startMs > 0 && startMs <= latestMs) return [];
  const latest = new Date(now.getTime() + latestMs).toISOString();
  const detail = `must be between ${now.toISOString()} and ${latest}: at most 7 days from now, and at most half-way to \`deliverBy\``;
  return refuse("startBy", detail);
}

/** Returns the fields of the terms that do not fit others. */
function findContradictions(terms: Terms, at: At): FieldError[] {
  const isEscrow = terms.payment === "escrow";
  const errors: FieldError[] = [];
  const refuse = (pointer: string, detail: string) =>
    errors.push({ pointer, detail, code: "invalid-value" });
  for (const [index, { check }] of terms.requirements.entries()) {
    if (check !== "media-type" || terms.delivery !== "content") continue;
    const detail = "is about a file's server, and `delivery` is content; set it to content-or-url";
    refuse(at("requirements", index), detail);
  }
  if (isEscrow && terms.delivery !== "content") {
    refuse(at("delivery"), "must be content for an escrow: a URL can show others another text");
  }
  if (isEscrow && BigInt(terms.valueMicro) < MIN_ESCROW_MICRO) {
    refuse(at("payment"), "can be escrow for a value of at least 0.50 USDC");
  }
  return errors;
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
