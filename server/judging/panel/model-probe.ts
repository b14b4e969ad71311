import { JudgeUnavailable } from "@/server/judging/judge";
import type { AskModel } from "@/server/judging/model-client/ask";
import type { CallRecord } from "@/server/judging/schema";
import { MINUTE_MS, SECOND_MS } from "@/server/lib/time";
import { drawNonces, type RandomBytes } from "./prompts/randomness";
import { buildVoteQuestion, type VoteMaterial } from "./prompts/vote-prompt";

/** Period for which a passed probe shows that the model answers at all. */
const PASS_TTL_MS = 3 * MINUTE_MS;
/** The same period if an answer has just gone missing. */
const RECENT_PASS_TTL_MS = 5 * SECOND_MS;

const HARMLESS_MATERIAL: VoteMaterial = {
  task: "Write one sentence that names the capital of France.",
  deliverable: "The capital of France is Paris, on the river Seine.",
  criteria: [{ id: "c1", text: "Names the capital of France", kind: "must", proof: "quote" }],
};

/**
 * Checks that a model answers a plain, harmless question; throws `JudgeUnavailable` if it does not.
 * Returns the call, or none if a recent pass was reused. If `length` is given, always asks, about a
 * text of at least that many characters.
 */
export type ModelProbe = (
  model: string,
  options: {
    signal?: AbortSignal | undefined;
    length?: number | undefined;
    /** Whether only a pass of the last seconds may be reused. */
    mustBeRecent?: boolean;
  },
) => Promise<CallRecord[]>;

/**
 * Creates a probe, which distinguishes a model that answers nothing from one that refuses a certain
 * text. Caches only a pass: verdicts wait for a failing model, so it is checked again each time.
 */
export function createModelProbe(
  { ask, randomBytes }: { ask: AskModel; randomBytes: RandomBytes },
  now: () => number,
): ModelProbe {
  const passedAt = new Map<string, number>();
  return async (model, { signal, length, mustBeRecent = false }) => {
    const last = passedAt.get(model);
    const ttlMs = mustBeRecent ? RECENT_PASS_TTL_MS : PASS_TTL_MS;
    const isFresh = last !== undefined && now() - last < ttlMs;
    if (isFresh && length === undefined) return [];
    const { deliverable } = HARMLESS_MATERIAL;
    const times = Math.max(1, Math.ceil((length ?? 0) / (deliverable.length + 1)));
    const material = {
      ...HARMLESS_MATERIAL,
      deliverable: Array(times).fill(deliverable).join("\n"),
    };
    const options = { purpose: "control" as const, model, signal };
    const { outcome, call } = await ask(
      buildVoteQuestion(material, drawNonces(randomBytes), options),
    );
    if (outcome !== "answer") {
      throw new JudgeUnavailable("the model declines even a harmless question");
    }
    passedAt.set(model, now());
    return [call];
  };
}
