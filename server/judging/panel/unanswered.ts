import { type JudgeOptions, JudgeUnavailable } from "@/server/judging/judge";
import type { CallRecord } from "@/server/judging/schema";
import type { Panel } from "./ask-twice";
import type { Control } from "./control";

/**
 * Lets questions without an answer count, where that is the texts' doing: the model declines them
 * and answers a control prompt. A garbled answer, or none, may be the model's own slip, so it counts
 * only in the last try, and if a harmless text of `length` characters is answered just then: else
 * what is slow with every long text would be this one's fault. Answers the control calls this took;
 * throws `JudgeUnavailable` where the judgement has to be tried again.
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
