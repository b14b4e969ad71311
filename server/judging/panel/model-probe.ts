import { type JudgeOptions, JudgeUnavailable, TextUnanswered } from "@/server/judging/judge";
import { type AskModel, NoAnswer } from "@/server/judging/model-client/ask";
import type { CallRecord, StoredVote } from "@/server/judging/schema";
import { MINUTE_MS, SECOND_MS } from "@/server/lib/time";
import type { Defence } from "./defences";
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

interface ProbeParts {
  ask: AskModel;
  defences: ReadonlySet<Defence>;
  randomBytes: RandomBytes;
}

/**
 * Creates a probe, which distinguishes a model that answers nothing from one that refuses a certain
 * text. Caches only a pass: verdicts wait for a failing model, so it is checked again each time.
 */
export function createModelProbe(
  { ask, defences, randomBytes }: ProbeParts,
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
    const options = { purpose: "control" as const, model, defences, signal };
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

/**
 * Allows unanswered questions to count as unverified if the text is to blame: the model declines it
 * but passes the probe. An unusable or missing answer may be the model's own slip, so it counts
 * only in the last attempt, and only if the model answers about a harmless text of `length`
 * characters; otherwise a text would be blamed for a model that is slow with every long text.
 * Returns the probe's calls. Throws `JudgeUnavailable` if the judgement must be retried.
 */
export async function treatRefusalsAsUnverified(
  { defences, probe }: { defences: ReadonlySet<Defence>; probe: ModelProbe },
  model: string,
  outcomes: readonly StoredVote["outcome"][],
  { lastAttempt, signal }: JudgeOptions,
  length?: number,
): Promise<CallRecord[]> {
  if (outcomes.every((outcome) => outcome === "answer")) return [];
  if (!defences.has("count-refusals")) throw new JudgeUnavailable("the model declined to answer");
  const isUnusable = outcomes.includes("unusable");
  const calls = await probe(model, {
    signal,
    length: isUnusable && lastAttempt ? length : undefined,
  });
  if (isUnusable && !lastAttempt) {
    throw new TextUnanswered("the model's answer about this text could not be used");
  }
  return calls;
}

/**
 * Returns whether `error` is an outage of `model`: it does not answer a harmless question either. A
 * rate limit is none, since the same question can be asked again.
 */
export async function isOutage(
  { probe }: { probe: ModelProbe },
  model: string,
  error: unknown,
  { signal }: JudgeOptions,
): Promise<boolean> {
  if (!(error instanceof NoAnswer) || error.isRateLimited || error.isOverdue) return false;
  if (signal?.aborted) return false;
  return probe(model, { signal, mustBeRecent: true }).then(
    () => false,
    () => true,
  );
}

/**
 * Rethrows a missing answer as `TextUnanswered` if the model answers a harmless question at the same
 * time, and any other error unchanged, including a rate limit, which says nothing about the text.
 */
export async function rethrowMissingAnswer(
  { probe }: { probe: ModelProbe },
  error: unknown,
  { signal }: JudgeOptions,
): Promise<never> {
  if (!(error instanceof NoAnswer) || signal?.aborted) throw error;
  const { call, isOverdue, isRateLimited, message } = error;
  if (isRateLimited) throw error;
  const isModelUp =
    isOverdue ||
    (await probe(call.requestedModel, { signal, mustBeRecent: true }).then(
      () => true,
      () => false,
    ));
  throw isModelUp ? new TextUnanswered(message) : error;
}
