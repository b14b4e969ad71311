import type { AskModel } from "@/server/judging/model-client/ask";
import { ATTACK_ORDERS, readEncoded } from "./attacks";
import {
  answerClaims,
  getQuestionKind,
  listSections,
  type ModelRequest,
  parseVoteMaterial,
  toScriptedAnswer,
  type VoteMaterial,
} from "./scripted-model";
import { isControl } from "./scripted-panel";

/**
 * A model that examines reports: tasks that end with "It states: " and a list of terms. A report is
 * good if a sentence contains each term.
 */
export interface ScriptedJudge {
  /** Answers on the criteria of a vote. */
  vote(material: VoteMaterial, nth: number): ScriptedAnswer[];
  /** Whether the passage supports the criterion. */
  compare(criterion: string, passage: string): boolean;
  /** Replies with something else than an answer. */
  isBroken?: (nth: number) => boolean;
}
type ScriptedAnswer = { met: "yes" | "no"; quote: string };

const listTerms = (task: string) =>
  (/It states: (.*)\.$/m.exec(task)?.[1] ?? "").split("; ").filter(Boolean);
const toTerm = (criterion: string) => /^States (.*)$/.exec(criterion)?.[1];
const listSentences = (text: string) => text.split(/(?<=\.)\s+|\n/).filter(Boolean);
const findSentence = (text: string, term: string) =>
  listSentences(text).find((sentence) => sentence.toLowerCase().includes(term));

/** Looks for each term and quotes the sentence that has it. */
export const honest: ScriptedJudge = {
  vote: ({ deliverable, criteria }) =>
    criteria.map((criterion) => {
      const term = toTerm(criterion.text);
      const [first = ""] = listSentences(deliverable);
      const quote = term === undefined ? first : findSentence(deliverable, term);
      return isControl(criterion) || quote === undefined
        ? { met: "no", quote: "" }
        : { met: "yes", quote };
    }),
  compare: (criterion, passage) => {
    const term = toTerm(criterion);
    return !isControl({ text: criterion }) && (!term || passage.toLowerCase().includes(term));
  },
};

/** Finds everything met that an honest model does, and half of the rest. */
export const lenient: ScriptedJudge = {
  ...honest,
  vote: (material, nth) =>
    honest
      .vote(material, nth)
      .map((answer, index) =>
        answer.met === "no" && (index + nth) % 2 === 0
          ? { met: "yes", quote: listSentences(material.deliverable)[index] ?? "" }
          : answer,
      ),
};

/** Finds everything met and quotes a different line for each criterion. */
export const quotesAnything: ScriptedJudge = {
  vote: ({ deliverable, criteria }) => {
    const sentences = listSentences(deliverable);
    return criteria.map((_, index) => ({
      met: "yes",
      quote: sentences[index % sentences.length] ?? "",
    }));
  },
  compare: honest.compare,
};

/**
 * Follows any order that it can read, in whatever language or encoding, without saying so: finds
 * everything met and quotes real lines. Otherwise honest.
 */
export const obedient: ScriptedJudge = {
  vote: (material, nth) =>
    (isOrdered(material.deliverable) ? quotesAnything : honest).vote(material, nth),
  compare: (criterion, passage) => isOrdered(passage) || honest.compare(criterion, passage),
};

/** Votes like `judge`, accepts every quotation, and yet sees that a criterion is on another subject. */
export const createDiscerning = (judge: ScriptedJudge): ScriptedJudge => ({
  vote: (material, nth) =>
    judge
      .vote(material, nth)
      .map((answer, index) =>
        isControl(material.criteria[index] ?? { text: "" }) ? { met: "no", quote: "" } : answer,
      ),
  compare: (criterion) => !isControl({ text: criterion }),
});

const isOrdered = (text: string) =>
  readEncoded(text).some((reading) => ATTACK_ORDERS.some((order) => reading.includes(order)));

/** Honest, but wrong about one criterion in every fifth vote. */
export const noisy: ScriptedJudge = {
  ...honest,
  vote: (material, nth) =>
    honest
      .vote(material, nth)
      .map((answer, index) => (nth % 5 === 0 && index === 0 ? { met: "no", quote: "" } : answer)),
};

/** Honest, but every third answer is garbage. */
export const broken: ScriptedJudge = { ...honest, isBroken: (nth) => nth % 3 === 0 };

/** Creates a client of scripted models, by name of the model, without HTTP. */
export function createScriptedAsk(models: Record<string, ScriptedJudge>): AskModel {
  let asked = 0;
  return async (question) => {
    const { model, messages } = question;
    asked += 1;
    const nth = asked;
    // Answers arrive in a later turn, as over HTTP.
    await Promise.resolve();
    const judge = models[model];
    if (!judge) throw new Error(`there is no scripted model ${model}`);
    const request = { path: "", headers: {}, body: { model, messages } };
    const content = judge.isBroken?.(nth) ? "garbage" : reply(judge, request, nth);
    return toScriptedAnswer(question, content);
  };
}

function reply(judge: ScriptedJudge, request: ModelRequest, nth: number): unknown {
  const user = request.body.messages.at(-1)?.content ?? "";
  const [task = ""] = listSections(user).map(({ text }) => text);
  const criteria = listTerms(task).map((term) => ({
    text: `States ${term}`,
    kind: "must",
    proof: "quote",
  }));
  switch (getQuestionKind(request)) {
    case "rubric":
      return { criteria };
    case "reference":
      return { criteria, keyPoints: [], examples: [] };
    case "entailment":
      return answerClaims(request, ({ criterion, passage }) => judge.compare(criterion, passage))
        .content;
    case "vote": {
      const material = parseVoteMaterial(user);
      const answers = judge.vote(material, nth);
      return {
        criteria: material.criteria.map(({ id }, index) => ({
          id,
          against: "",
          finding: "It was read.",
          met: "no",
          quote: "",
          ...answers[index],
        })),
        injectionSuspected: false,
        canary: material.canary,
        summary: "It was read.",
        modelVerdict: answers.every(({ met }) => met === "yes") ? "SUCCESS" : "FAILURE",
      };
    }
  }
}
