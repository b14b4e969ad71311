import type { JudgeOptions } from "@/server/judging/judge";
import type { CallRecord, Criterion } from "@/server/judging/schema";
import type { Category } from "@/server/lib/schema";
import { askTwice, type Panel } from "./ask-twice";
import type { Control } from "./control";
import { guideRubric } from "./guides";
import { drawFresh } from "./randomness";
import { rubricOf, rubricQuestion } from "./rubric-prompt";
import { letUnansweredCount } from "./unanswered";

export interface WrittenRubric {
  criteria: Criterion[];
  /** `guide`: the category's criteria, because the model wrote none. They are not cached. */
  source: "model" | "cache" | "guide";
  calls: CallRecord[];
}

/** Returns cached criteria for a task, or has the model write them without the deliverable. */
export async function writeRubric(
  panel: Panel & { control: Control },
  { task, category, shown }: { task: string; category: Category; shown: string },
  options: JudgeOptions,
): Promise<WrittenRubric> {
  const { model, defences, randomBytes } = panel;
  const isBlind = defences.has("blind-rubric");
  const store = isBlind ? panel.rubrics : null;
  const of = { task, category, model };
  const kept = await store?.find(of);
  if (kept) return { criteria: kept, source: "cache", calls: [] };

  const tries = [drawFresh(randomBytes), drawFresh(randomBytes)] as const;
  const asked = isBlind ? { task, category } : { task, category, deliverable: shown };
  const { answered, spent } = await askTwice(
    panel,
    tries,
    (fresh) => rubricQuestion(asked, fresh, { model, defences, signal: options.signal }),
    { silenceCounts: options.lastAttempt },
  );
  const calls = [...spent, answered.call];
  if (answered.outcome === "answer") {
    const criteria = rubricOf(answered.value);
    const standing = (await store?.keep(of, criteria, answered.call)) ?? criteria;
    return { criteria: standing, source: "model", calls };
  }
  const unanswered = [{ outcome: answered.outcome, model }];
  const control = await letUnansweredCount(panel, unanswered, options, task.length);
  return { criteria: guideRubric(category), source: "guide", calls: [...calls, ...control] };
}
