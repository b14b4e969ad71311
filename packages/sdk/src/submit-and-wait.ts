import type { StandingClient } from "./client.js";
import type { components } from "./openapi.js";

type Submission = components["schemas"]["SubmitOutcomeRequest"];
type Outcome = components["schemas"]["Outcome"];

export interface WaitOptions {
  /** Submitting again with the same key returns the first outcome. A new one by default. */
  idempotencyKey?: string;
  /** Ends the wait. What was submitted is judged all the same. */
  signal?: AbortSignal;
  /** How often to ask for the verdict. 2,000 by default. */
  pollMs?: number;
  /** Submits even without a deliverable, whose verdict is always FAILURE. False by default. */
  allowEmpty?: boolean;
}

/**
 * Submits an outcome and resolves to it once its verdict is recorded, usually within 30 seconds.
 * Waits as long as it takes: bound it with `AbortSignal.timeout`. Throws a `TypeError` without a
 * deliverable, unless `allowEmpty` is set.
 */
export async function submitAndWait(
  client: StandingClient,
  submission: Submission,
  { idempotencyKey = crypto.randomUUID(), signal, pollMs = 2_000, allowEmpty }: WaitOptions = {},
): Promise<Outcome> {
  const { deliverableContent, deliverableUrl } = submission;
  if (!allowEmpty && !deliverableContent?.trim() && !deliverableUrl?.trim()) {
    throw new TypeError(
      "The submission has neither deliverableContent nor deliverableUrl, so its verdict would be FAILURE. Set allowEmpty to submit it.",
    );
  }
  const until = signal ? { signal } : {};
  const { outcomeId } = await client.post("/outcome", {
    body: submission,
    params: { header: { "Idempotency-Key": idempotencyKey } },
    ...until,
  });
  for (;;) {
    const outcome = await client.get("/outcome/{outcomeId}", {
      params: { path: { outcomeId } },
      ...until,
    });
    if (outcome.status === "RESOLVED") return outcome;
    await pause(pollMs, signal);
  }
}

/** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
