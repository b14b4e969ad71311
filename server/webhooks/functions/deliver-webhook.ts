import { setTimeout as pause } from "node:timers/promises";
import type { Env } from "@/server/lib/env";
import type { FunctionCore } from "@/server/lib/inngest";
import type { DeliveryRun } from "@/server/webhooks/claim";
import type { Delivered } from "@/server/webhooks/conclude";
import { deliverOnce } from "@/server/webhooks/deliver";
import { deliveryDue } from "@/server/webhooks/events";

/** A server may call up to a second early. So short a time is waited here. */
const EARLY_MS = 2_000;

/**
 * Steps at a time for one webhook. The line is the webhook's own, so the deliveries of a receiver
 * that is slow or silent make each other wait, and nobody else's; calls in line keep no worker busy.
 */
const AT_A_TIME = 4;

/**
 * How long a worker of the embedded engine waits for a receiver. Workers are few and the pipeline
 * needs them too: were one kept for all of 15 s, eight silent webhooks would stop the service. An
 * attempt that takes longer goes on in this process while the run sleeps, and its result is read
 * after it. Lost with the process, it is made again once its claim has run out.
 */
const PATIENCE_MS = 500;
/** Longer than an attempt can take: 15 s, and a second for the rest of the answer. */
const ANSWERED_AFTER_MS = 17_000;

/** For faults of ours, such as an unreachable database. A receiver that fails uses none of them. */
const RETRIES = 3;

/**
 * Carries out one run of a delivery: an attempt, and after a failure three more, at the times that
 * `schedule.ts` sets. The stored time decides: the engine is told it, and an attempt that comes
 * before it is not made. The run sleeps until the next attempt instead of throwing, because engine and
 * SDK log whatever a step throws as an error, with its stack.
 */
export const deliverWebhook = (core: FunctionCore) =>
  core.inngest.createFunction(
    {
      id: "deliver-webhook",
      triggers: [deliveryDue],
      retries: RETRIES,
      concurrency: { key: "event.data.webhookId", limit: AT_A_TIME },
    },
    async ({ event, step }) => {
      for (let part = 1; ; part += 1) {
        const result = await step.run(`attempt-${part}`, () => attempt(core, event.data));
        if (!("until" in result)) return result;
        await step.sleepUntil(`wait-${part}`, result.until);
      }
    },
  );

async function attempt(core: FunctionCore, which: DeliveryRun): Promise<Delivered> {
  const result = await startAttempt(core, which);
  if (result.state !== "wait" || msUntil(result.until) > EARLY_MS) return result;
  await pause(msUntil(result.until));
  return startAttempt(core, which);
}

/** One attempt; where it takes longer than a worker may wait, the time to look for its result. */
async function startAttempt(core: FunctionCore, which: DeliveryRun): Promise<Delivered> {
  const made = deliverOnce(core, which);
  if (hasOwnServer(core.env)) return made;
  const patience = new AbortController();
  try {
    const late = pause(PATIENCE_MS, null, { signal: patience.signal }).catch(() => null);
    const result = await Promise.race([made, late]);
    if (result) return result;
  } finally {
    patience.abort();
  }
  const ended = made
    .catch((error) => core.log.error({ err: error, ...which }, "a webhook attempt was lost"))
    .finally(() => core.underWay?.delete(ended));
  core.underWay?.add(ended);
  return { state: "wait", until: new Date(Date.now() + ANSWERED_AFTER_MS) };
}

/** Then it is that server which waits for us; a host may also freeze us once a step has answered. */
function hasOwnServer(env: Env): boolean {
  return Boolean(env.INNGEST_DEV || env.INNGEST_BASE_URL || env.INNGEST_EVENT_KEY);
}

function msUntil(moment: Date): number {
  return Math.max(0, moment.getTime() - Date.now());
}
