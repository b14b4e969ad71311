import { setTimeout as pause } from "node:timers/promises";
import { defineFunction } from "@/server/lib/background-function";
import type { Env } from "@/server/lib/env";
import type { FunctionCore } from "@/server/lib/inngest";
import type { DeliveryRun } from "@/server/webhooks/claim";
import { type AttemptResult, attemptDelivery } from "@/server/webhooks/deliver";
import { deliveryDue } from "@/server/webhooks/events";

/** An Inngest server may call up to a second early. The step itself waits for up to this long. */
const MAX_EARLY_MS = 2_000;

/**
 * Concurrent steps per webhook. The queue is the webhook's own, so a slow receiver only delays its
 * own deliveries; queued steps keep no worker busy.
 */
const MAX_CONCURRENT_PER_WEBHOOK = 4;

/**
 * How long a worker of the embedded engine waits for a receiver. Workers are few and the pipeline
 * needs them too: if each waited the full 15 s, eight unresponsive webhooks would block the
 * service. A longer attempt continues in this process while the run sleeps; the run reads the result
 * when it resumes. If the process ends, the attempt is repeated once its claim has expired.
 */
const WORKER_WAIT_MS = 500;
/** Longer than an attempt can take: 15 s, and a second to read the response. */
const ATTEMPT_ENDS_WITHIN_MS = 17_000;

/**
 * For faults of the service, such as an unreachable database. A failing receiver uses none of them.
 */
const RETRIES = 3;

/**
 * Executes one run of a delivery: an attempt and, after failures, up to three more at the times
 * in `deliver.ts`. The stored time decides: an attempt before it is not made. The run sleeps until
 * the next attempt instead of throwing, because engine and SDK log whatever a step throws as an
 * error, with its stack.
 */
export const deliverWebhook = (core: FunctionCore) =>
  defineFunction(
    {
      id: "deliver-webhook",
      triggers: [deliveryDue],
      retries: RETRIES,
      concurrency: { field: "webhookId", perValue: MAX_CONCURRENT_PER_WEBHOOK },
    },
    async ({ event, step }) => {
      for (let part = 1; ; part += 1) {
        const result = await step.run(`attempt-${part}`, () => attemptWhenDue(core, event.data));
        if (!("until" in result)) return result;
        await step.sleepUntil(`wait-${part}`, result.until);
      }
    },
  );

async function attemptWhenDue(core: FunctionCore, delivery: DeliveryRun): Promise<AttemptResult> {
  const result = await startAttempt(core, delivery);
  if (result.state !== "wait" || getMsUntil(result.until) > MAX_EARLY_MS) return result;
  await pause(getMsUntil(result.until));
  return startAttempt(core, delivery);
}

/** Makes one attempt. If it exceeds a worker's wait, returns the time to check for its result. */
async function startAttempt(core: FunctionCore, delivery: DeliveryRun): Promise<AttemptResult> {
  const attempt = attemptDelivery(core, delivery);
  if (hasInngestServer(core.env)) return attempt;
  const timer = new AbortController();
  try {
    const timeout = pause(WORKER_WAIT_MS, null, { signal: timer.signal }).catch(() => null);
    const result = await Promise.race([attempt, timeout]);
    if (result) return result;
  } finally {
    timer.abort();
  }
  const ended = attempt
    .catch((error) => core.log.error({ err: error, ...delivery }, "a webhook attempt was lost"))
    .finally(() => core.backgroundWork?.delete(ended));
  core.backgroundWork?.add(ended);
  return { state: "wait", until: new Date(Date.now() + ATTEMPT_ENDS_WITHIN_MS) };
}

/**
 * Returns whether an Inngest server calls the steps: it can wait for a slow receiver, and a
 * serverless host may freeze the process once a step has returned.
 */
function hasInngestServer(env: Env): boolean {
  return Boolean(env.INNGEST_DEV || env.INNGEST_BASE_URL || env.INNGEST_EVENT_KEY);
}

function getMsUntil(moment: Date): number {
  return Math.max(0, moment.getTime() - Date.now());
}
