import type { CallRecord, Criterion } from "@/server/judging/schema";
import type { Panel } from "./ask-twice";
import { drawFresh } from "./randomness";
import { voteQuestion } from "./vote-prompt";

/** How long a passed control speaks for a model. */
const VALID_MS = 3 * 60_000;

const CRITERION: Criterion = {
  id: "c1",
  text: "Names the capital of France",
  kind: "must",
  proof: "quote",
};
const MATERIAL = {
  task: "Write one sentence that names the capital of France.",
  deliverable: "The capital of France is Paris, on the river Seine.",
  criteria: [CRITERION],
};

/** Harmless too, and as long as wanted. */
function materialOf(length = 0): typeof MATERIAL {
  const { deliverable } = MATERIAL;
  const times = Math.ceil(length / (deliverable.length + 1));
  return { ...MATERIAL, deliverable: Array(Math.max(1, times)).fill(deliverable).join("\n") };
}

/**
 * Whether a model answers a plain and harmless question; `call` where it was asked now. With a
 * `length` it is asked now, about a text of so many characters.
 */
export type Control = (
  model: string,
  options: { signal?: AbortSignal | undefined; length?: number | undefined },
) => Promise<{ passed: boolean; call?: CallRecord }>;

/**
 * Tells a model that will answer nothing from one that will not answer this text. Only a pass is
 * remembered: one that fails is asked again, since verdicts wait for it.
 */
export function createControl(
  { ask, defences, randomBytes }: Pick<Panel, "ask" | "defences" | "randomBytes">,
  now: () => number,
): Control {
  const passedAt = new Map<string, number>();
  return async (model, { signal, length }) => {
    const last = passedAt.get(model);
    const isFresh = last !== undefined && now() - last < VALID_MS;
    if (isFresh && length === undefined) return { passed: true };
    const { outcome, call } = await ask(
      voteQuestion(materialOf(length), drawFresh(randomBytes), {
        purpose: "control",
        model,
        defences,
        ...(signal ? { signal } : {}),
      }),
    );
    const passed = outcome === "answer";
    if (passed) passedAt.set(model, now());
    return { passed, call };
  };
}
