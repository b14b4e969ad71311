import { verifyWebhook, WebhookVerificationError } from "@standing/sdk";
import { expect, test } from "vitest";
import { buildSignatureHeaders, formatSecret } from "@/server/webhooks/signature";

const secret = formatSecret(new Uint8Array(32).fill(7));
const payload = JSON.stringify({ id: "a", event: "ping", timestamp: "2026-11-22T12:00:00.000Z" });

const sign = (at = new Date()) => buildSignatureHeaders({ secret, id: "a", at, payload });

test("a delivery of the service is genuine", () => {
  expect(verifyWebhook(payload, sign(), secret).event).toBe("ping");
  expect(verifyWebhook(payload, new Headers(sign()), secret).event).toBe("ping");
  const capitals = Object.entries(sign()).map(([name, value]) => [name.toUpperCase(), value]);
  expect(verifyWebhook(payload, Object.fromEntries(capitals), secret).event).toBe("ping");
});

test("anything else is not", () => {
  const other = formatSecret(new Uint8Array(32).fill(8));
  const old = sign(new Date(Date.now() - 6 * 60_000));
  for (const [body, headers, key] of [
    [payload.replace("ping", "pong"), sign(), secret],
    [payload, sign(), other],
    [payload, old, secret],
    [payload, {}, secret],
  ] as const) {
    expect(() => verifyWebhook(body, headers, key)).toThrow(WebhookVerificationError);
  }
});

test("a call that could never succeed throws the documented error too", () => {
  for (const [body, key] of [
    [payload, ""],
    [payload, "whsec_"],
    [payload, "whsec_%"],
    [payload, undefined],
    [JSON.parse(payload), secret],
    [undefined, secret],
  ]) {
    expect(() => verifyWebhook(body, sign(), key)).toThrow(WebhookVerificationError);
    expect(() => verifyWebhook(body, sign(), key)).toThrow(/before parsing, and the secret/);
  }
});
