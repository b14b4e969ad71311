import type { components, StandingClient } from "@standing/sdk";
import { MINUTE_MS } from "@/server/lib/time";
import { type DemoAgent, type DemoAgents, poll } from "./agents";
import type { DemoTask } from "./tasks";
import type { TestUsdc } from "./test-usdc";

/** An outcome with its parties. */
export interface SubmittedOutcome {
  outcomeId: string;
  contractor: DemoAgent;
  requester: DemoAgent;
}

/** Submits a task's deliverable with its contractor's key. Returns the outcome's id. */
export async function submit(
  { contractor, requester }: Omit<SubmittedOutcome, "outcomeId">,
  task: DemoTask,
  paymentTxHash?: string,
): Promise<string> {
  const { outcomeId } = await contractor.client.post("/outcome", {
    params: { header: { "Idempotency-Key": crypto.randomUUID() } },
    body: {
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: requester.wallet,
      taskDescription: task.task,
      title: task.title,
      taskCategory: task.category,
      deliverableContent: task.deliverable ?? undefined,
      valueUsdc: task.valueUsdc,
      paymentTxHash,
    },
  });
  return outcomeId;
}

const readOutcome = (client: StandingClient, outcomeId: string) =>
  client.get("/outcome/{outcomeId}", { params: { path: { outcomeId } } });

/** Returns the outcome once its verdict is recorded. */
export const waitUntilResolved = (
  visitor: StandingClient,
  outcomeId: string,
): Promise<components["schemas"]["Outcome"]> =>
  poll(
    () => readOutcome(visitor, outcomeId),
    ({ status }) => status === "RESOLVED",
    2 * MINUTE_MS,
  );

/** Returns a wallet's score and tier. */
export const readReputation = (visitor: StandingClient, walletAddress: string) =>
  visitor.get("/reputation/{walletAddress}", { params: { path: { walletAddress } } });

/** Prints a verdict and the resulting score. */
export async function printVerdict(
  visitor: StandingClient,
  agents: DemoAgents,
  task: DemoTask,
  outcomeId: string,
): Promise<void> {
  const outcome = await waitUntilResolved(visitor, outcomeId);
  const { name, wallet } = agents[task.contractor];
  const { score, tier } = await readReputation(visitor, wallet);
  const confidence = outcome.llmConfidence ?? 0;
  // Otherwise a success with a score of 0 looks like a fault.
  const weight =
    confidence > 0.5 ? "" : ", no weight: nothing that the task asks for could be assessed";
  const paid = outcome.paidUsdc > 0 ? `, paid ${outcome.paidUsdc} USDC` : "";
  console.log(
    `  ${outcome.verdict?.padEnd(8)} ${task.category.padEnd(14)} ${name.padEnd(14)} score ${score.toFixed(2).padStart(5)} ${tier}${paid}
           confidence ${confidence}${weight}
           ${outcome.llmJudgeReasoning}
           transaction ${outcome.onChainTx}, log ${outcome.recordIndex}\n`,
  );
}

/** Refunds an outcome's payment once the outcome is resolved, and waits for the record on chain. */
export async function refund(
  usdc: TestUsdc,
  { outcomeId, contractor, requester }: SubmittedOutcome,
): Promise<void> {
  const { client } = contractor;
  const { paidUsdc } = await waitUntilResolved(client, outcomeId);
  const { transactionHash } = await usdc.pay(contractor, requester.wallet, paidUsdc);
  await client.post("/outcome/{outcomeId}/refund", {
    params: { path: { outcomeId } },
    body: { refundTxHash: transactionHash },
  });
  const refunded = await poll(
    () => readOutcome(client, outcomeId),
    ({ refund }) => Boolean(refund?.onChainTx),
    MINUTE_MS,
  );
  console.log(
    `  Refund   ${contractor.name} returned ${paidUsdc} USDC to ${requester.name}, so the outcome no longer counts.
           transaction ${refunded.refund?.onChainTx}\n`,
  );
}
