import { type JudgeOptions, JudgeUnavailable, TextUnanswered } from "@/server/judging/judge";
import { type Answer, NoAnswer, type Question } from "@/server/judging/model-client/ask";
import type { CallRecord, StoredVote } from "@/server/judging/schema";
import type { Panel } from "./panel";
import type { QuestionOptions } from "./prompts/build-question";
import { drawNonces, type Nonces } from "./prompts/randomness";
import { buildVoteQuestion, type VoteAnswer, type VoteMaterial } from "./prompts/vote-prompt";

/** Calls that one judgement makes at most, so that no text multiplies its cost. */
export const MAX_CALLS = 12;

/** Calls that the later stages of a judgement may still need. A broken answer must not use them. */
const CALLS_AFTER = { rubric: 8, vote: 4, "escalated-vote": 1, entailment: 0, review: 0 };
type Stage = keyof typeof CALLS_AFTER;

interface AskOptions {
  signal?: AbortSignal | undefined;
  /** Counts a missing answer as unusable, since the judgement can do without. */
  isOptional?: boolean;
  /** Does not repeat the question. */
  isOnce?: boolean;
  /**
   * Length of the text in characters. A text is only blamed for a missing answer if the model
   * answers about a harmless text of this length.
   */
  length?: number | undefined;
}

const UNRESPONSIVE = "the model gives no usable answer to a harmless question";

/** The model calls of one judgement. */
export interface ModelCalls {
  /**
   * Asks a model, and once more with new nonces if its answer cannot be used. If it does not answer a
   * harmless question either, the other model takes its place for the rest of the judgement. Throws
   * `TextUnanswered` if only this text gets no answer, which counts as unusable in the last attempt,
   * and `JudgeUnavailable` if no model responds. Returns `answer` with the `nonces` of its question;
   * its call is left to the caller to record.
   */
  ask<T>(
    model: string,
    stage: Stage,
    build: (nonces: Nonces, options: QuestionOptions) => Question<T>,
    options?: AskOptions,
  ): Promise<{ answer: Answer<T>; nonces: Nonces }>;
  /**
   * Throws `JudgeUnavailable` if none of `votes` has an answer and the model does not answer a harmless
   * question either. Otherwise the texts are to blame.
   */
  requireAnswers(votes: readonly Pick<StoredVote, "outcome">[], model: string): Promise<void>;
  /** Returns whether another call in this stage leaves enough for the later ones. */
  hasRoom(stage: Stage): boolean;
  /** Returns the model that answers in place of `model`: itself, unless it was replaced. */
  resolve(model: string): string;
  record(...calls: CallRecord[]): void;
  /** The recorded calls, answers that could not be used, and probes. */
  readonly list: readonly CallRecord[];
}

interface Attempt<T> {
  answer: Answer<T>;
  nonces: Nonces;
  /** Whether no answer arrived at all. */
  isMissing?: true;
}

/**
 * Counts the calls of a judgement up to `maxCalls`. Calls that got no answer, and those of a model that
 * was replaced, do not count: no text causes them.
 */
export function createModelCalls(
  panel: Panel,
  { queue, lastAttempt, ...options }: JudgeOptions,
  maxCalls = MAX_CALLS,
): ModelCalls {
  const { ask, model, escalationModel, randomBytes } = panel;
  const list: CallRecord[] = [];
  const replacements = new Map<string, string>();
  const probes = new Map<string, Promise<boolean>>();
  let made = 0;
  const record = (...calls: CallRecord[]) => void list.push(...calls);
  const hasRoom = (stage: Stage) => made + CALLS_AFTER[stage] < maxCalls;
  const hasTwoModels = model !== escalationModel;
  const resolve = (asked: string) => replacements.get(asked) ?? asked;

  async function call<T>(question: Question<T>): Promise<Answer<T>> {
    made += 1;
    try {
      return await ask(question);
    } catch (error) {
      made -= 1;
      throw error;
    }
  }

  /** Returns whether a model answers a harmless question. No text of a case can keep it from that. */
  function responds(asked: string): Promise<boolean> {
    const known = probes.get(asked);
    if (known) return known;
    made += 1;
    const probing = probeModel(panel, asked, { signal: options.signal }).then(
      ({ outcome, call }) => {
        record(call);
        return outcome === "answer";
      },
      (error) => {
        // A rate limit passes, so the judgement waits instead of going on with one model.
        if (options.signal?.aborted || (error instanceof NoAnswer && error.isRateLimited)) {
          throw error;
        }
        made -= 1;
        return false;
      },
    );
    probes.set(asked, probing);
    return probing;
  }

  /** Throws `JudgeUnavailable` if a model does not answer about a harmless text of `length` characters. */
  async function requireAnswerAbout(asked: string, length: number): Promise<void> {
    const { outcome, call } = await probeModel(panel, asked, { signal: options.signal, length });
    record(call);
    if (outcome !== "answer") throw new JudgeUnavailable(UNRESPONSIVE);
  }

  /**
   * Lets the other model answer for `asked` after `failing` did not; returns false if there is none
   * that responds.
   */
  function replace(asked: string, failing: string): boolean {
    // A concurrent question has replaced it.
    if (resolve(asked) !== failing) return true;
    const other = failing === model ? escalationModel : model;
    if (other === failing || replacements.has(other)) return false;
    replacements.set(failing, other);
    return true;
  }

  return {
    async ask<T>(
      asked: string,
      stage: Stage,
      build: (nonces: Nonces, options: QuestionOptions) => Question<T>,
      { signal = options.signal, isOptional, isOnce, length }: AskOptions = {},
    ) {
      const attempt = async (nonces: Nonces): Promise<Attempt<T>> => {
        const used = resolve(asked);
        try {
          const question = build(nonces, { model: used, signal, queue });
          return { answer: await call(question), nonces };
        } catch (error) {
          if (!(error instanceof NoAnswer) || error.isRateLimited || signal?.aborted) throw error;
          const missing: Attempt<T> = {
            answer: { outcome: "unusable", call: error.call },
            nonces,
            isMissing: true,
          };
          if (isOptional) return missing;
          if (!error.isOverdue && !(await responds(used))) {
            if (!replace(asked, used)) throw error;
            return attempt(nonces);
          }
          if (!lastAttempt) throw new TextUnanswered(error.message);
          if (length !== undefined) await requireAnswerAbout(used, length);
          return missing;
        }
      };
      // Before the first await, so that concurrent questions draw in a fixed order.
      const [first, second] = [drawNonces(randomBytes), drawNonces(randomBytes)];
      let last = await attempt(first);
      if (last.answer.outcome !== "answer" && !last.isMissing && !isOnce && hasRoom(stage)) {
        const used = resolve(asked);
        const isReplaced = hasTwoModels && !(await responds(used)) && replace(asked, used);
        if (isReplaced) made -= 1;
        if (isReplaced || hasRoom(stage)) {
          record(last.answer.call);
          last = await attempt(second);
        }
      }
      return last;
    },
    async requireAnswers(votes, asked) {
      if (votes.some(({ outcome }) => outcome === "answer")) return;
      if (!(await responds(resolve(asked)))) throw new JudgeUnavailable(UNRESPONSIVE);
    },
    hasRoom,
    resolve,
    record,
    list,
  };
}

const HARMLESS_MATERIAL: VoteMaterial = {
  task: "Write one sentence that names the capital of France.",
  deliverable: "The capital of France is Paris, on the river Seine.",
  criteria: [{ id: "c1", text: "Names the capital of France", kind: "must", proof: "quote" }],
};

/**
 * Asks a model a plain, harmless question about a text of at least `length` characters. That
 * distinguishes a model that answers nothing from one that refuses a certain text. Throws `NoAnswer` if
 * the model does not respond.
 */
function probeModel(
  { ask, randomBytes }: Pick<Panel, "ask" | "randomBytes">,
  model: string,
  { signal, length = 0 }: { signal?: AbortSignal | undefined; length?: number | undefined },
): Promise<Answer<VoteAnswer>> {
  const { deliverable } = HARMLESS_MATERIAL;
  const times = Math.max(1, Math.ceil(length / (deliverable.length + 1)));
  const material = { ...HARMLESS_MATERIAL, deliverable: Array(times).fill(deliverable).join("\n") };
  const options = { purpose: "control" as const, model, signal };
  return ask(buildVoteQuestion(material, drawNonces(randomBytes), options));
}
