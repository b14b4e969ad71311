import { readDeliverable } from "@/server/judging/documents/read-deliverable";
import type { JudgeInput } from "@/server/judging/judge";
import type { Core } from "@/server/lib/context";
import { fromMicro } from "@/server/lib/usdc";
import type { OutcomeRow } from "./public-outcome";

/**
 * Returns the judge's input for an outcome. Throws `DocumentUnavailable` if the deliverable can't
 * be fetched and this was not the last attempt.
 */
export async function judgeInputOf(
  core: Pick<Core, "db" | "env">,
  outcome: OutcomeRow,
  lastFetch: boolean,
): Promise<JudgeInput> {
  const deliverable = await readDeliverable(core, {
    subjectId: outcome.id,
    content: outcome.deliverableContent,
    url: outcome.deliverableUrl,
    lastAttempt: lastFetch,
  });
  return {
    task: outcome.taskDescription,
    category: outcome.taskCategory,
    deliverable,
    highValue: fromMicro(outcome.valueMicro) >= core.env.JUDGE_HIGH_VALUE_USDC,
  };
}
