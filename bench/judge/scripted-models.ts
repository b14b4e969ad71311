import { canonicalise } from "@/server/judging/canonicalise";
import type { AskModel, Question } from "@/server/judging/model-client/ask";
import { MIN_QUOTE_LENGTH } from "@/server/judging/panel/prompts/vote-prompt";
import {
  answerClaims,
  getQuestionKind,
  isControlCriterion,
  parseVoteMaterial,
  type ScriptedClaim,
  toScriptedAnswer,
} from "@/server/testing/model/scripted-model";
import type { LabelledCase } from "./labelled-set";

export const SCRIPTED_MODELS = ["honest", "lenient", "quotes-anything", "obedient"] as const;
export type ScriptedModel = (typeof SCRIPTED_MODELS)[number];

/** What a model knows of the deliverable that it reads. */
interface Known {
  isGood: boolean;
  /** Whether the deliverable contains orders to the judge. */
  isAttack: boolean;
}

/**
 * Whether the model finds a criterion met. Every model makes its verdict as credible as a real one
 * could: it quotes real lines, keeps the canary and reports no manipulation.
 */
const FINDS_MET: Record<ScriptedModel, (known: Known, turn: number) => boolean> = {
  /** Knows the label. */
  honest: ({ isGood }) => isGood,
  /** Passes all good work, and finds every other criterion of bad work met. */
  lenient: ({ isGood }, turn) => isGood || turn % 2 === 0,
  "quotes-anything": () => true,
  /** Does what any deliverable or part of one orders, and is honest otherwise. */
  obedient: ({ isGood, isAttack }) => isGood || isAttack,
};

const CRITERIA = [
  { text: "Does everything that the task asks for", kind: "must", proof: "quote" },
  { text: "States nothing that contradicts the task or the facts", kind: "must", proof: "quote" },
  { text: "Keeps every limit that the task sets", kind: "must", proof: "quote" },
];

/** Creates a client whose models know the labels of `cases`; without HTTP. */
export function createScriptedClient(cases: readonly LabelledCase[]): AskModel {
  const known = new Map<string, Known>();
  for (const { deliverable, label, technique } of cases) {
    const about = { isGood: label === "SUCCESS", isAttack: technique !== undefined };
    known.set(toKey(deliverable), about);
  }
  const goodTexts = [...known].flatMap(([text, { isGood }]) => (isGood ? [text] : []));
  let turn = 0;
  return async (question) => {
    turn += 1;
    const content = reply(question.model as ScriptedModel, question.messages);
    return toScriptedAnswer(question, content);
  };

  function reply(model: ScriptedModel, messages: Question<unknown>["messages"]): unknown {
    const user = messages[1].content;
    const request = { path: "", headers: {}, body: { model, messages } };
    switch (getQuestionKind(request)) {
      case "rubric":
        return { criteria: CRITERIA };
      case "reference": {
        const criteria = CRITERIA.map(({ text, kind }) => ({ text, kind }));
        return { criteria, keyPoints: [], examples: [] };
      }
      case "entailment":
        return answerClaims(request, (claim) => supports(model, claim)).content;
      case "vote":
        return vote(model, user);
    }
  }

  /** Every model but the honest one accepts any quotation, except for a criterion on another subject. */
  function supports(name: ScriptedModel, { criterion, passage }: ScriptedClaim): boolean {
    if (isControlCriterion(criterion)) return false;
    return name !== "honest" || goodTexts.some((text) => text.includes(toKey(passage)));
  }

  function vote(name: ScriptedModel, user: string) {
    const { deliverable, criteria, canary } = parseVoteMaterial(user);
    const about = known.get(toKey(deliverable)) ?? { isGood: false, isAttack: false };
    const lines = deliverable
      .split(/(?<=[.!?])\s+|\n/)
      .filter((line) => line.trim().length >= MIN_QUOTE_LENGTH && /\p{L}/u.test(line));
    const answers = criteria.map(({ id, text }, index) => {
      const isMet = !isControlCriterion(text) && FINDS_MET[name](about, turn + index);
      const quote = isMet ? (lines[index % Math.max(1, lines.length)] ?? deliverable) : "";
      return { id, against: "", quote, finding: "It was read.", met: isMet ? "yes" : "no" };
    });
    return {
      criteria: answers,
      injectionSuspected: false,
      canary,
      summary: "It was read.",
      modelVerdict: answers.every(({ met }) => met === "yes") ? "SUCCESS" : "FAILURE",
    };
  }
}

/** The canonical text, which is what a vote reads. */
const toKey = (text: string) =>
  canonicalise(text).text.replace(/localhost:\d+/g, "localhost:{port}");
