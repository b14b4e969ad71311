import { setTimeout as pause } from "node:timers/promises";
import { CommandError } from "@/scripts/lib/say.mjs";
import type { PublicOutcome, Submission } from "@/server/outcomes/schema";
import type { Reputation } from "@/server/reputation/schema";
import type { Api } from "./client";
import type { Members } from "./members";
import type { DemoTask } from "./tasks";

const GIVE_UP_AFTER_MS = 120_000;

/** Submits a task's deliverable with its contractor's key. Returns the outcome's id. */
export async function submit(
  api: Api,
  members: Members,
  task: DemoTask,
  paymentTxHash?: string,
): Promise<string> {
  const contractor = members[task.contractor];
  const { outcomeId } = await api.post<Submission>(
    "/outcome",
    {
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: members[task.requester].wallet,
      taskDescription: task.task,
      taskCategory: task.category,
      ...(task.deliverable === null ? {} : { deliverableContent: task.deliverable }),
      valueUsdc: task.valueUsdc,
      ...(paymentTxHash === undefined ? {} : { paymentTxHash }),
    },
    { "X-API-Key": contractor.apiKey, "Idempotency-Key": crypto.randomUUID() },
  );
  return outcomeId;
}

/** Returns the outcome once its verdict is recorded. */
export async function resolved(api: Api, outcomeId: string): Promise<PublicOutcome> {
  for (const end = Date.now() + GIVE_UP_AFTER_MS; Date.now() < end; await pause(1_000)) {
    const outcome = await api.get<PublicOutcome>(`/outcome/${outcomeId}`);
    if (outcome.status === "RESOLVED") return outcome;
  }
  throw new CommandError(
    `Outcome ${outcomeId} has no verdict after two minutes: look at /api/health.`,
  );
}

/** Prints a verdict and the resulting score. */
export async function show(
  api: Api,
  members: Members,
  task: DemoTask,
  outcomeId: string,
): Promise<void> {
  const outcome = await resolved(api, outcomeId);
  const { name, wallet } = members[task.contractor];
  const { score, tier } = await api.get<Reputation>(`/reputation/${wallet}`);
  const paid = outcome.paidUsdc > 0 ? `, paid ${outcome.paidUsdc} USDC` : "";
  console.log(
    `  ${outcome.verdict?.padEnd(8)} ${task.category.padEnd(14)} ${name.padEnd(14)} score ${score.toFixed(2).padStart(5)} ${tier}${paid}
           ${outcome.llmJudgeReasoning}
           transaction ${outcome.onChainTx}, log ${outcome.recordIndex}\n`,
  );
}
