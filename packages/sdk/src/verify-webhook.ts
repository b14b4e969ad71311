import { Webhook } from "standardwebhooks";
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
 * @param secret What creating the webhook returned: `whsec_…`.
 */
export function verifyWebhook(
  body: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
): WebhookEvent {
  const read = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  return new Webhook(secret).verify(body, {
    "webhook-id": read("webhook-id"),
    "webhook-timestamp": read("webhook-timestamp"),
    "webhook-signature": read("webhook-signature"),
  }) as WebhookEvent;
}
