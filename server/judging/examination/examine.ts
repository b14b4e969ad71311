import { type JudgeOptions, JudgeUnavailable, TextUnanswered } from "@/server/judging/judge";
import {
  type Answer,
  type AskModel,
  NoAnswer,
  type Question,
} from "@/server/judging/model-client/ask";
import type { CallRecord, StoredExamination } from "@/server/judging/schema";
import {
  buildQuestion,
  drawMark,
  type ExaminationAnswer,
  type Material,
  type RandomBytes,
} from "./question";

/** Whether each model responds, as all processes know it. */
export interface ModelStates {
  /**
   * Returns "ask" if the model responds, and "probe" if that is unknown or if it is this caller's turn to
   * find out whether it is still down. Otherwise throws `JudgeUnavailable`, so that nothing is asked.
   */
  admit(model: string): Promise<"ask" | "probe">;
  /** Takes the turn to probe a model that is down. Returns false if it responds or no probe is due. */
  claimProbe(model: string): Promise<boolean>;
  recordResponse(model: string): Promise<void>;
  /** `reason`: a plain English sentence. */
  recordFailure(model: string, reason: string, retryAfterSeconds?: number): Promise<void>;
}

/** Keeps no states. */
export const NO_STATES: ModelStates = {
  admit: async () => "ask",
  claimProbe: async () => false,
  recordResponse: async () => {},
  recordFailure: async () => {},
};

export interface Models {
  ask: AskModel;
  model: string;
  /** The second model; equal to `model` if there is only one. */
  escalationModel: string;
  states: ModelStates;
  randomBytes: RandomBytes;
  /** Probes that are being made, by model: those who need one share it. */
  probes: Map<string, Promise<CallRecord>>;
}

const HARMLESS = {
  task: "Write one sentence that names the capital of France.",
  deliverable: "The capital of France is Paris, on the river Seine.",
};

/**
 * Asks a model about a harmless text, under `task` if it is given. That distinguishes a model that is
 * down from one that does not answer about a certain text. Throws `JudgeUnavailable` if it gives no
 * usable answer.
 */
async function probe(
  { ask, randomBytes }: Pick<Models, "ask" | "randomBytes">,
  model: string,
  { task, signal }: { task?: string; signal?: JudgeOptions["signal"] } = {},
): Promise<CallRecord> {
  const material = { ...HARMLESS, ...(task === undefined ? {} : { task }), facts: [] };
  const question = buildQuestion(material, {
    ...{ mark: drawMark(randomBytes), model, purpose: "probe" as const, signal },
  });
  const answer = await ask({ ...question, isHarmless: task === undefined });
  if (answer.outcome !== "answer") throw new JudgeUnavailable(answer.message);
  return answer.call;
}

/** Probes a model and records how it went. Throws `JudgeUnavailable` if it is down. */
export function probeAndRecord(
  models: Pick<Models, "ask" | "states" | "randomBytes" | "probes">,
  model: string,
): Promise<CallRecord> {
  const { states, probes } = models;
  const make = async () => {
    try {
      const call = await probe(models, model);
      await states.recordResponse(model);
      return call;
    } catch (error) {
      if (error instanceof JudgeUnavailable) {
        await states.recordFailure(model, error.message, error.retryAfterSeconds);
      }
      throw error;
    }
  };
  const made = probes.get(model) ?? make().finally(() => probes.delete(model));
  probes.set(model, made);
  return made;
}

/** The examinations of one case. */
export interface Examiner {
  /** Two examinations at the same time, one by each model. */
  examineTwice(first: Material, second: Material): Promise<[StoredExamination, StoredExamination]>;
  /** One more, by the escalation model. It sees neither of the others. */
  examineAgain(material: Material): Promise<StoredExamination>;
  /** Probes, and answers that could not be used and were asked for once more. */
  readonly calls: readonly CallRecord[];
  /** Whether one of two models was down for so long that the other examined in its place. */
  readonly isReplaced: boolean;
}

/** What the examinations of one case share. */
interface Case
  extends Pick<JudgeOptions, "queue" | "queueKey" | "lastAttempt" | "mayReplaceModel"> {
  models: Models;
  purpose: "examination" | "review";
  mark: string;
  signal: AbortSignal;
  calls: CallRecord[];
  isReplaced: boolean;
}

/**
 * Creates the examiner of one case. It throws `JudgeUnavailable` if a model is down, unless
 * `mayReplaceModel` is set and the other responds, and `TextUnanswered` if only this text gets no
 * answer. In the last attempt such an answer counts as unusable, if the model answers about a harmless
 * text under the same task.
 */
export function createExaminer(
  models: Models,
  purpose: Case["purpose"],
  { queue, queueKey, lastAttempt, mayReplaceModel, ...options }: JudgeOptions,
): Examiner {
  const { model, escalationModel } = models;
  const failed = new AbortController();
  const examined: Case = {
    ...{ models, purpose, queue, queueKey, lastAttempt, mayReplaceModel },
    mark: drawMark(models.randomBytes),
    signal: AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]),
    calls: [],
    isReplaced: false,
  };
  return {
    async examineTwice(first, second) {
      // While one model is down, an answer of the other would be paid for and lost.
      if (!mayReplaceModel) {
        for (const asked of [model, escalationModel]) await requireModel(examined, asked);
      }
      const both = [
        examineOrReplace(examined, model, first, false),
        examineOrReplace(examined, escalationModel, second, model === escalationModel),
      ] as const;
      try {
        return await Promise.all(both);
      } catch (error) {
        // The other answer would be lost.
        failed.abort();
        await Promise.allSettled(both);
        throw error;
      }
    },
    examineAgain: (material) => examineOrReplace(examined, escalationModel, material, false),
    calls: examined.calls,
    get isReplaced() {
      return examined.isReplaced;
    },
  };
}

/** Examines by `asked`, or by the other model if that one may take its place. */
async function examineOrReplace(
  examined: Case,
  asked: string,
  material: Material,
  looksForFaults: boolean,
): Promise<StoredExamination> {
  try {
    return await examine(examined, asked, material, looksForFaults);
  } catch (error) {
    const { model, escalationModel } = examined.models;
    const other = asked === model ? escalationModel : model;
    const isDown = error instanceof JudgeUnavailable && !(error instanceof TextUnanswered);
    const mayReplace = examined.mayReplaceModel && other !== asked && !examined.signal.aborted;
    if (!isDown || !mayReplace) throw error;
    const examination = await examine(examined, other, material, true);
    examined.isReplaced = true;
    return examination;
  }
}

async function examine(
  examined: Case,
  model: string,
  material: Material,
  looksForFaults: boolean,
): Promise<StoredExamination> {
  await requireModel(examined, model);
  const { mark, purpose, queue, queueKey, signal } = examined;
  const question = buildQuestion(material, {
    ...{ mark, looksForFaults, model, purpose, queue, queueKey, signal },
  });
  const answer = await askTwice(examined, question, material.task);
  if (answer.outcome !== "answer") {
    return { ...NO_ANSWER, outcome: answer.outcome, call: answer.call };
  }
  await examined.models.states.recordResponse(model);
  return { outcome: "answer", call: answer.call, ...answer.value };
}

/**
 * Throws `JudgeUnavailable` if the model is down, as far as is known; with `isDoubted`, it is asked a
 * harmless question unless it is known to be down.
 */
async function requireModel(
  { models, calls }: Case,
  model: string,
  isDoubted = false,
): Promise<void> {
  if ((await models.states.admit(model)) === "ask" && !isDoubted) return;
  calls.push(await probeAndRecord(models, model));
}

/** Asks, and once more if the answer cannot be used. */
async function askTwice(
  examined: Case,
  question: Question<ExaminationAnswer>,
  task: string,
): Promise<Answer<ExaminationAnswer>> {
  const { models, calls, signal, lastAttempt } = examined;
  const { model } = question;
  const askOnce = () =>
    models.ask(question).catch((error) => {
      if (!(error instanceof NoAnswer) || signal.aborted) throw error;
      return error;
    });
  let answer = await askOnce();
  if (!(answer instanceof NoAnswer) && answer.outcome !== "answer") {
    calls.push(answer.call);
    // An endpoint that rejects every question says nothing about this text, and is asked no more.
    const isRejected = answer.outcome === "unusable" && answer.call.raw === "";
    if (isRejected) await requireModel(examined, model, true);
    answer = await askOnce();
    const isUsable = answer instanceof NoAnswer || answer.outcome === "answer";
    if (!isUsable && !isRejected) await requireModel(examined, model, true);
  }
  if (!(answer instanceof NoAnswer)) return answer;
  // The text can be the cause, even of a limit on the rate: some limit the length of a request so.
  if (!answer.isOverdue) await requireModel(examined, model, true);
  if (!lastAttempt) throw new TextUnanswered(answer.message, answer.retryAfterSeconds);
  calls.push(await probe(models, model, { task, signal }));
  return { outcome: "unusable", call: answer.call, message: answer.message };
}

/** The content of an examination without a usable answer. */
const NO_ANSWER = {
  demands: [],
  manipulation: false,
  reasoning: "",
  verdict: null,
  confidence: null,
} as const satisfies Partial<StoredExamination>;
