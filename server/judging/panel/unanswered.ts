import { type JudgeOptions, JudgeUnavailable } from "@/server/judging/judge";
import type { CallRecord } from "@/server/judging/schema";
import type { Panel } from "./ask-twice";
import type { Control } from "./control";

/**
 * Allows unanswered questions to count if the texts caused them: the model declines them but
 * answers a control prompt. An unusable or missing answer may be the model's own slip, so it counts
 * only in the last attempt, and only if the model then answers about a harmless text of `length`
 * characters; otherwise this text would be blamed for a model that is slow with every long text.
 * Returns the control calls. Throws `JudgeUnavailable` if the judgement must be retried.
 */
export async function letUnansweredCount(
  { defences, control }: Pick<Panel, "defences"> & { control: Control },
  unanswered: readonly { outcome: "refusal" | "unusable"; model: string }[],
  { lastAttempt = false, signal }: JudgeOptions,
  length?: number,
): Promise<CallRecord[]> {
  if (unanswered.length === 0) return [];
  const isUnusable = unanswered.some(({ outcome }) => outcome === "unusable");
  if (isUnusable && !lastAttempt) {
    throw new JudgeUnavailable("the model's answer could not be used");
  }
  if (!defences.has("count-refusals")) {
    throw new JudgeUnavailable("the model declined to answer");
  }
  const calls: CallRecord[] = [];
  for (const model of new Set(unanswered.map((each) => each.model))) {
    const { passed, call } = await control(model, {
      signal,
      length: isUnusable ? length : undefined,
    });
    if (call) calls.push(call);
    if (!passed) throw new JudgeUnavailable("the model declines even a harmless question");
  }
  return calls;
}
