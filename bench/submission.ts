import { randomUUID } from "node:crypto";
import type { Asked } from "./load";
import type { SeededAgent } from "./populate";

const TASK =
  "Review the retry logic of our payment worker and list what can go wrong when the bank answers late. Name for each finding the line, the harm and a mend, in plain words for somebody who did not write the code.";

const DELIVERABLE = `The worker takes a payment from the queue, calls the bank and marks the payment as sent.

1. Line 48: the call has no time-out of its own. When the bank is slow, workers pile up until none is left, and payments that could go out wait behind those that cannot. Give the call ten seconds.
2. Line 61: a retry is made with a new reference. When the first call did reach the bank and only its answer was late, the money leaves twice. Make the reference once, store it with the payment, and send the same one on every attempt.
3. Line 75: the payment is marked before the answer is checked. A refusal by the bank then looks like success, and nobody asks again. Check the status first and keep refusals in a state of their own.
4. Line 90: the waits between attempts are all the same. After an outage every worker calls in the same second. Let the waits grow and add some chance to each.

The second finding is the one to mend today; the others can follow in that order.`;

/** The judge's input in every benchmark. */
export const JUDGED = { task: TASK, category: "code-review", deliverable: DELIVERABLE } as const;

/** Returns a submission of `contractor` for `requester`, as a client would send it. */
export function submission(contractor: SeededAgent, requester: SeededAgent): Asked {
  return {
    method: "POST",
    path: "/api/v1/outcome",
    headers: {
      "Content-Type": "application/json",
      "X-API-Key": contractor.apiKey,
      "Idempotency-Key": randomUUID(),
      // Read by the bare server, which does not look up the agent.
      "X-Agent-Id": contractor.id,
    },
    body: JSON.stringify({
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: requester.wallet,
      taskDescription: TASK,
      taskCategory: "code-review",
      deliverableContent: DELIVERABLE,
      valueUsdc: 25.5,
    }),
  };
}
