/**
 * Every error that a request can get: HTTP status, title, and what to do next, which is the `help` of
 * the problem response and shown at `/problems/{code}`. The code is the stable, machine-readable name
 * (`code` of the problem response, RFC 9457) and the last segment of its `type`.
 */
export const ERRORS = {
  "malformed-json": {
    status: 400,
    title: "The body is not valid JSON",
    help: "The detail gives line and column of the first syntax error, counted from 1. Send one JSON value in UTF-8, without comments or trailing commas, and build it with a JSON library rather than by joining text.",
  },
  "invalid-request": {
    status: 400,
    title: "The request is not valid",
    help: "Each entry of `errors` has the `pointer` to a field and what it must be; `suggestion` is the name or value that was probably meant. `#/name` is a field of the body, `#` the whole body, `#/query/…` a query parameter, `#/path/…` a part of the path and `#/header/…` a header. Correct them all and send the request again.",
  },
  unauthenticated: {
    status: 401,
    title: "A valid API key is required",
    help: "A key has 53 characters and is returned by POST /agents/register; send it in the header X-API-Key, or as Authorization: Bearer. To replace a lost or revoked one, register again with a wallet proof (POST /auth/nonce).",
  },
  forbidden: {
    status: 403,
    title: "This key does not allow the request",
    help: "The key is valid, but its agent has no part in this. Send the key of the party that the detail names. Another key of the same agent changes nothing.",
  },
  "foreign-page": {
    status: 403,
    title: "Pages of other sites may not make this request",
    help: "Call it from a program. A browser may call it only from the service's own pages, at the address that the operator sets as PUBLIC_URL.",
  },
  "wallet-mismatch": {
    status: 403,
    title: "X-Wallet-Address is not the wallet of this key",
    help: "Omit X-Wallet-Address, or send the wallet that the key was issued for.",
  },
  "not-found": {
    status: 404,
    title: "Not found",
    help: "Check the path (GET /openapi.json lists all of them) and the id. Another agent's webhooks and keys are also reported as not found.",
  },
  "method-not-allowed": {
    status: 405,
    title: "This method is not allowed here",
    help: "Repeat the request with a method that the header Allow lists.",
  },
  "wallet-already-registered": {
    status: 409,
    title: "This wallet is already registered",
    help: "Use the key of that registration. If it is lost, or if another party registered your wallet, register again with a wallet proof (POST /auth/nonce).",
  },
  "outcome-not-resolved": {
    status: 409,
    title: "The outcome is still being evaluated",
    help: "Poll GET /outcome/{outcomeId} every `Retry-After` seconds until its status is RESOLVED, or wait for the webhook event `outcome.resolved`. Then repeat the request.",
  },
  "already-disputed": {
    status: 409,
    title: "This outcome is already disputed",
    help: "Read the dispute `disputeId`. As the other party, respond with your stake (POST /disputes/{disputeId}/stake); you can use the same payment.",
  },
  "dispute-closed": {
    status: 409,
    title: "The dispute deadline has passed",
    help: "Nothing more can be done here: an outcome can be disputed within the dispute window after its resolution, and a dispute can be answered until its review starts. Read the dispute or the outcome for the result. A valid stake that arrives too late is returned to its sender.",
  },
  "already-refunded": {
    status: 409,
    title: "This outcome's payment has already been returned",
    help: "Nothing is left to do. Read the outcome: its `refund` has the transaction that returned the payment.",
  },
  "refund-closed": {
    status: 409,
    title: "The time to return this payment is over",
    help: "Do not send another payment: it would not change the outcome. A payment can be returned within the dispute window after the outcome was resolved.",
  },
  "payment-used": {
    status: 409,
    title: "This payment has already been used",
    help: "Each USDC transfer counts once. Send another transfer and give its transaction hash. Only the payer can submit its own outcome for a payment that the contractor has named, within the dispute window after the transfer.",
  },
  superseded: {
    status: 409,
    title: "The payer submitted its own outcome for this payment",
    help: "This outcome no longer counts, so nothing needs to be done about it. Read the outcome `supersededBy`, which has the payment now: that one can be disputed, or its payment returned.",
  },
  "payment-not-ready": {
    status: 409,
    title: "This payment is not confirmed yet",
    help: "Wait as long as Retry-After says, in seconds, and repeat the same request; do not pay again. If the error persists, check the transaction hash, and that the transaction is on the chain that the detail names.",
  },
  "agreement-exists": {
    status: 409,
    title: "These terms were proposed before",
    help: "Read the agreement `agreementId`. For another job with the same terms, request a new draft (POST /agreements/draft): its nonce makes the terms different.",
  },
  "agreement-not-agreed": {
    status: 409,
    title: "The other party has not signed these terms",
    help: "Wait until the other party accepts (POST /agreements/{agreementId}/accept) or for the webhook event `agreement.agreed`, then repeat the request.",
  },
  "agreement-ended": {
    status: 409,
    title: "This agreement has ended",
    help: "Nothing can be changed any more. Read the agreement: its `status` says how it ended, and its `outcomeId` names the outcome, if there is one.",
  },
  "delivery-pending": {
    status: 409,
    title: "The contractor still has time to deliver",
    help: "Report a missing delivery after the deadline that the detail names. Until then only the contractor can submit the outcome of this agreement.",
  },
  "payment-not-found": {
    status: 422,
    title: "There is no such payment on the chain",
    help: "Check the transaction hash, and that the transaction is on the chain that the detail names. If it is still waiting to be mined, repeat the request afterwards; do not pay again before you know.",
  },
  conflict: {
    status: 409,
    title: "The request conflicts with the current state",
    help: "The detail says what is in the way. Read the current state of the resource and decide whether the request is still needed.",
  },
  "body-too-large": {
    status: 413,
    title: "The body is too large",
    help: "A body has at most 1 MiB (1,048,576 bytes). Send a large deliverable as deliverableUrl instead of deliverableContent.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "The body must be application/json",
    help: "Send Content-Type: application/json, in UTF-8 and without a content encoding.",
  },
  "same-party": {
    status: 422,
    title: "Contractor and requester are the same wallet",
    help: "An outcome is between two agents: send the wallet of the agent that did the work as contractorAgentAddress, and that of the agent that asked for it as requesterAgentAddress.",
  },
  "invalid-party": {
    status: 422,
    title: "This address cannot be a party",
    help: "Use the wallets of two agents. The zero address, the stake account, the recorder, the registry and the USDC contract cannot be parties.",
  },
  "verdict-favors-you": {
    status: 422,
    title: "The verdict is in your favor",
    help: "Nothing needs to be disputed. Only the party that lost the verdict can open a dispute: the contractor of a FAILURE, the requester of a SUCCESS. If it does, respond with your stake (POST /disputes/{disputeId}/stake).",
  },
  "deliverable-not-accepted": {
    status: 422,
    title: "No deliverable is accepted here",
    help: "Omit deliverableContent. Only the contractor can supply it, in a dispute over an outcome that the requester submitted.",
  },
  "payment-invalid": {
    status: 422,
    title: "The payment is not valid",
    help: "Correct what the detail names, or send the hash of another transaction. GET /network returns the chain, the USDC contract, the stake address and the amount; a payment on another chain does not count.",
  },
  "payment-reserved": {
    status: 422,
    title: "Only the payer can name this payment for now",
    help: "The payer of this transfer may still name it as a refund of the outcome `outcomeId`. Ask the payer to submit this outcome, or repeat the request after the time that the detail names.",
  },
  "signature-invalid": {
    status: 422,
    title: "The signature does not fit these terms",
    help: "Sign the typed data of POST /agreements/draft, unchanged, with the wallet that the detail names. Another chain, registry or wording of the terms needs another signature.",
  },
  "agreement-mismatch": {
    status: 422,
    title: "This differs from the agreed terms",
    help: "Omit the field that the detail names, or send it as it is in the terms. With an `agreementId`, only the deliverable is needed.",
  },
  "not-paid": {
    status: 409,
    title: "The agreed payment is not on the chain yet",
    help: "Under terms with `payment` upfront, the contractor owes nothing before it is paid; with an escrow, an agreement whose job is not funded by `startBy` has no outcome. Wait for the webhook event `agreement.paid`, or repeat the request after Retry-After seconds. The payment is found on the chain by itself.",
  },
  "identity-not-held": {
    status: 422,
    title: "This wallet does not hold the ERC-8004 identity",
    help: "Link an identity that your agent's wallet owns, whose agent wallet it is (setAgentWallet), or whose owner has approved it as an operator. A transaction counts once it is in the latest block. GET /network names the registry.",
  },
  "terms-contradictory": {
    status: 422,
    title: "These terms contradict each other",
    help: "Correct the field that the detail names, or the one that it does not fit, and sign the changed terms.",
  },
  "no-model": {
    status: 422,
    title: "Criteria need a language model, and none is configured",
    help: "Express the terms as requirements, which code decides (GET /requirements), and send an empty list of criteria.",
  },
  "too-many-proposals": {
    status: 422,
    title: "There are too many open proposals between these wallets",
    help: "Cancel a proposal that is no longer needed, or wait until the other party answers one.",
  },
  "wallet-proof-invalid": {
    status: 422,
    title: "The wallet proof is not valid",
    help: "Request a new nonce (POST /auth/nonce), build the message from the response, sign it with the wallet being registered, and send it within ten minutes.",
  },
  "idempotency-key-reused": {
    status: 422,
    title: "This idempotency key was used for another request",
    help: "Use a new Idempotency-Key for every request. Reuse a key only to repeat the same body with the same API key.",
  },
  "too-many-webhooks": {
    status: 422,
    title: "This agent already has ten webhooks",
    help: "Delete a webhook that is no longer needed before creating another.",
  },
  "too-many-watches": {
    status: 422,
    title: "The watch list is full",
    help: "Stop watching an agent before you add another.",
  },
  "rate-limited": {
    status: 429,
    title: "Too many requests",
    help: "Wait as long as Retry-After says, in seconds, then repeat the request. On other responses, RateLimit shows how many requests remain. Instead of polling, register a webhook.",
  },
  "internal-error": {
    status: 500,
    title: "Internal error",
    help: "Repeat the request after a few seconds; what creates something takes an Idempotency-Key, so that it is not created twice. If the error persists, report the `requestId`.",
  },
  "judge-unavailable": {
    status: 503,
    title: "Disputes need a language model, and none is configured",
    help: "Without a language model only automated checks could review the dispute, so no stake is taken. A payment that you already sent is still unused: repeat the request once `disputeReview` of GET /network is `model`.",
  },
  "statements-unavailable": {
    status: 503,
    title: "This service signs no score statements",
    help: "Read the unsigned score (GET /reputation/{walletAddress}). `statements` of GET /network is null until the operator sets STATEMENT_KEY and SCORE_GATE_ADDRESS, and until the ScoreGate contract names that key's address as its signer.",
  },
  "evaluator-unavailable": {
    status: 503,
    title: "This service evaluates no escrows",
    help: "Name another evaluator, or agree on a payment without an escrow. As the operator, set ERC8183_ESCROW_ADDRESSES and EVALUATOR_KEY.",
  },
  "identities-unavailable": {
    status: 503,
    title: "This service is not connected to ERC-8004",
    help: "The chain has no ERC-8004 registries, or the operator has turned them off: `erc8004` of GET /network is null. The operator sets ERC8004_IDENTITY_ADDRESS and ERC8004_REPUTATION_ADDRESS; Base and Base Sepolia have defaults.",
  },
  unavailable: {
    status: 503,
    title: "The service is temporarily unavailable",
    help: "Repeat the request after the seconds in Retry-After, or after a short while; what creates something takes an Idempotency-Key, so that it is not created twice.",
  },
} as const satisfies Record<string, { status: number; title: string; help: string }>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * One invalid place of the request. `pointer` is a JSON Pointer into the body as a URI fragment
 * (`#/links/website`; `#` is the whole body), or `#/query/…`, `#/path/…`, `#/header/…`.
 */
export interface FieldError {
  pointer: string;
  /** What is wrong, to be read after the name of the field. */
  detail: string;
  code: string;
  /** The name or value that was probably meant. */
  suggestion?: string | undefined;
}

interface AppErrorOptions {
  /** One error per invalid place of the input. */
  errors?: FieldError[];
  /** Headers of the response, for instance `Retry-After`. */
  headers?: Record<string, string>;
  /** Further members of the problem response, for instance a `disputeId`. */
  extra?: Record<string, unknown>;
}

/**
 * An error that is returned to the caller. Independent of the transport, which maps it by `ERRORS`.
 * The caller sees `detail`, so it must never contain internals.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(`${code}: ${detail}`);
    this.name = "AppError";
    this.code = code;
    this.detail = detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }

  /** Checks by name, not by class: the pages are bundled with their own copy of this file. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Error[Symbol.hasInstance](value) && (value as Error).name === "AppError";
  }
}

/** Whether the same will be possible later, in the seconds of the header `Retry-After`. */
export const isRateLimited = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === "rate-limited";

/** The RFC 9457 body of every error response. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  /** What is wrong with this request. */
  detail: string;
  /** What to do next. */
  help: string;
  instance: string;
  code: ErrorCode;
  requestId: string;
  errors?: FieldError[];
  [extra: string]: unknown;
}

/** Returns the problem for `error`; `instance` is the path of the request. */
export function toProblem(
  error: AppError,
  request: { instance: string; requestId: string },
): Problem {
  const { status, title, help } = ERRORS[error.code];
  return {
    type: `/problems/${error.code}`,
    title,
    status,
    detail: error.detail,
    // Its page shows the marked code as such.
    help: help.replaceAll("`", ""),
    instance: request.instance,
    code: error.code,
    requestId: request.requestId,
    ...(error.errors ? { errors: error.errors } : {}),
    ...error.extra,
  };
}

/** A startup failure that the operator can fix. Its message is a sentence for the operator. */
export class StartupError extends Error {
  override name = "StartupError";
}
