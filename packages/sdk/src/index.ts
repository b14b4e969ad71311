export * as agreements from "./agreements.js";
export {
  type ClientOptions,
  createClient,
  type Problem,
  ProblemError,
  type StandingClient,
} from "./client.js";
export type { components, operations, paths } from "./openapi.js";
export { proveWallet, type WalletSigner } from "./prove-wallet.js";
export { type RefusalOptions, refuseBelow, type X402Hooks } from "./refuse-below.js";
export { submitAndWait, type WaitOptions } from "./submit-and-wait.js";
export {
  type ScoreStatement,
  type SignedStatement,
  StatementError,
  type TrustedStatement,
  verifyStatement,
} from "./verify-statement.js";
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "./verify-webhook.js";
