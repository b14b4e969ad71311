import type { CallRecord } from "@/server/judging/schema";
import { type Answered, type AskModel, NoAnswer, type Question } from "@/server/judging/wire/ask";
import type { Calibration } from "./calibration";
import type { Defence } from "./defences";
import type { RandomBytes } from "./randomness";
import type { RubricStore } from "./rubric-store";

/** What the parts of a panel work with. */
export interface Panel {
  ask: AskModel;
  model: string;
  escalationModel: string;
  /** Without one every judgement has its rubric written anew. */
  rubrics: RubricStore | null;
  defences: ReadonlySet<Defence>;
  randomBytes: RandomBytes;
  calibration: Calibration;
}

/**
 * Asks, and once more where the model declines or answers nothing usable: with a fresh delimiter
 * many a slip does not happen again. `at` is what the question that was answered drew.
 * `silenceCounts`: no answer at all is unusable too, instead of thrown; nobody waits for it twice.
 */
export async function askTwice<T, F>(
  { ask }: Pick<Panel, "ask">,
  [first, second]: readonly [F, F],
  question: (fresh: F) => Question<T>,
  { silenceCounts = false }: { silenceCounts?: boolean | undefined } = {},
): Promise<{ answered: Answered<T>; at: F; spent: CallRecord[] }> {
  const heard = async (fresh: F) => {
    try {
      return { said: await ask(question(fresh)), isSilent: false };
    } catch (error) {
      if (!silenceCounts || !(error instanceof NoAnswer)) throw error;
      return { said: { outcome: "unusable" as const, call: error.call }, isSilent: true };
    }
  };
  const { said: once, isSilent } = await heard(first);
  if (once.outcome === "answer" || isSilent) return { answered: once, at: first, spent: [] };
  const { said: again } = await heard(second);
  return { answered: again, at: second, spent: [once.call] };
}
