import { Inngest, type InngestFunction } from "inngest";
import { describe, expect, test } from "vitest";
import { createRegistry, getConfigs } from "./registry";

const inngest = new Inngest({ id: "standing", isDev: true });
type Options = Parameters<typeof inngest.createFunction>[0];
type Handler = Parameters<typeof inngest.createFunction>[1];

const register = (options: Partial<Options>, handler: Handler = () => {}) =>
  createRegistry(
    getConfigs("standing", [
      inngest.createFunction(
        { id: "fn", triggers: [{ event: "e" }], ...options } as Options,
        handler,
      ) as InngestFunction.Any,
    ]),
  );

describe("rejects an unsupported option or step and names it", () => {
  const refused: [string, Partial<Options>][] = [
    ["debounce", { debounce: { period: "5s" } }],
    ["throttle", { throttle: { limit: 1, period: "5s" } }],
    ["rateLimit", { rateLimit: { limit: 1, period: "5s" } }],
    ["singleton", { singleton: { mode: "skip" } }],
    ["priority", { priority: { run: "100" } }],
    ["cancelOn", { cancelOn: [{ event: "stop" }] }],
    ["timeouts", { timeouts: { finish: "5s" } }],
    ["batchEvents", { batchEvents: { maxSize: 2, timeout: "5s" } }],
    ["idempotency", { idempotency: "event.data.id" }],
    ["onFailure", { onFailure: () => {} }],
    ["concurrency.0.scope", { concurrency: { limit: 1, scope: "account", key: "event.data.x" } }],
    ["concurrency", { concurrency: [{ limit: 1, key: "event.data.x" }, { limit: 2 }] }],
    ["concurrency.0.key", { concurrency: { limit: 1, key: "event.data.a + event.data.b" } }],
    ["triggers.0.if", { triggers: [{ event: "e", if: "event.data.n == 3" }] }],
    ["triggers.0.event", { triggers: [{ event: "outcome/*" }] }],
    ["triggers.0.event", { triggers: [{ event: "inngest/function.failed" }] }],
    ["TZ=Europe/Vienna", { triggers: [{ cron: "TZ=Europe/Vienna 0 9 * * *" }] }],
  ];
  test.each(refused)("%s", (named, options) => {
    expect(() => register(options)).toThrow('Function "standing-fn" cannot run');
    expect(() => register(options)).toThrow(named);
  });

  const steps: [string, Handler][] = [
    [
      "step.waitForEvent",
      ({ step }) => step.waitForEvent("reply", { event: "reply", timeout: "1d" }),
    ],
    ["step.sendEvent", ({ step }) => step.sendEvent("send", { name: "sent" })],
    ["step.sleep", ({ step }) => step.sleep("nap", "1m")],
  ];
  test.each(steps)("%s", (named, handler) => {
    expect(() => register({}, handler)).toThrow(
      `Function "standing-fn" cannot run on the embedded engine: ${named} is not supported`,
    );
  });
});

test("reads attempts, events, crons and the concurrency limit", () => {
  const registry = register({
    retries: 5,
    triggers: [{ event: "e" }, { cron: "0 * * * *" }],
    concurrency: { limit: 3, key: "event.data.wallet" },
  });
  const fn = registry.get("standing-fn");
  expect(fn).toEqual({
    id: "standing-fn",
    maxAttempts: 6,
    events: ["e"],
    crons: ["0 * * * *"],
    concurrency: { limit: 3, field: "wallet", perValue: null },
  });
  expect(registry.triggeredBy("e")).toEqual([fn]);
  expect(registry.triggeredBy("other")).toEqual([]);
  expect(registry.crons("tick")).toHaveLength(1);
});

test("three retries are the default, and concurrency is unlimited", () => {
  expect(register({}).get("standing-fn")).toMatchObject({ maxAttempts: 4, concurrency: null });
});
