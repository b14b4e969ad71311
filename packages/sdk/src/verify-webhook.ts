import { Webhook, WebhookVerificationError } from "standardwebhooks";
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
    if (error instanceof WebhookVerificationError) throw error;
    throw new WebhookVerificationError(
      "Pass the body as it arrived, before parsing, and the secret that creating the webhook returned.",
    );
  }
}
