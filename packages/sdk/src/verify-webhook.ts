import { WebhookVerificationError as SignatureError, Webhook } from "standardwebhooks";
import type { webhooks } from "./openapi.js";

/** Payloads by event name. */
type Payloads = {
  [Event in keyof webhooks]: webhooks[Event] extends {
    post: { requestBody?: { content: { "application/json": infer Payload } } };
  }
    ? Payload
    : never;
};

/** The payload of a delivery; `event` distinguishes the kinds. */
export type WebhookEvent = Payloads[keyof Payloads];

/** Why a delivery is not genuine, or can't be checked. */
// Not the library's: its declarations need those of Node, which a browser's program lacks.
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/**
 * Returns the payload of a delivery after checking its signature (Standard Webhooks) and its age,
 * at most five minutes. Throws `WebhookVerificationError` otherwise.
 * @param body The body as it arrived, before parsing.
 * @param headers Names in any case.
 * @param secret What creating the webhook returned: `whsec_…`.
 */
export function verifyWebhook(
  body: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  try {
    return new Webhook(secret).verify(
      body,
      Object.fromEntries(entries.map(([name, value]) => [name, String(value ?? "")])),
    ) as WebhookEvent;
  } catch (error) {
    throw new WebhookVerificationError(
      error instanceof SignatureError
        ? error.message
        : "Pass the body as it arrived, before parsing, and the secret that creating the webhook returned.",
    );
  }
}
