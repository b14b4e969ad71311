/** The length of every rate limit's window. */
export const WINDOW_SECONDS = 60;

/**
 * Requests per minute, by policy. The procedures, the OpenAPI document and `docs/operations.md` use
 * these numbers.
 */
export const RATE_LIMITS = {
  register: 3,
  "register-ip": 60,
  "sign-in": 20,
  outcome: 10,
  refund: 5,
  "agreement-draft": 30,
  "agreement-proposal": 10,
  "agreement-answer": 10,
  "requirement-check": 10,
  "identity-link": 10,
  dispute: 5,
  stake: 5,
  "webhook-calls": 10,
} as const;
