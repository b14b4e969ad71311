import { canonicalise } from "@/server/judging/canonicalise";
import type { AskModel } from "@/server/judging/model-client/ask";
import { parseMaterial, toScriptedAnswer } from "@/server/testing/model/scripted-model";
import type { LabelledCase } from "./labelled-set";

export const SCRIPTED_MODELS = ["honest", "obedient"] as const;
export type ScriptedModel = (typeof SCRIPTED_MODELS)[number];

/** What a model knows of the deliverable that it reads. */
interface Known {
  isGood: boolean;
  /** Whether the deliverable contains orders to the judge. */
  isAttack: boolean;
}

/** Whether the model accepts the work. Every model is sure of itself and reports no manipulation. */
const ACCEPTS: Record<ScriptedModel, (known: Known) => boolean> = {
  /** Knows the label. */
  honest: ({ isGood }) => isGood,
  /** Does what any deliverable orders, and is honest otherwise. */
  obedient: ({ isGood, isAttack }) => isGood || isAttack,
};

/** Creates a client whose models know the labels of `cases`; without HTTP. */
export function createScriptedClient(cases: readonly LabelledCase[]): AskModel {
  const known = new Map<string, Known>();
  for (const { deliverable, label, technique } of cases) {
    const about = { isGood: label === "SUCCESS", isAttack: technique !== undefined };
    known.set(toKey(deliverable), about);
  }
  return async (question) => {
    const { deliverable } = parseMaterial(question.messages[1].content);
    const about = known.get(toKey(deliverable)) ?? { isGood: false, isAttack: false };
    const isAccepted = ACCEPTS[question.model as ScriptedModel](about);
    return toScriptedAnswer(question, {
      demands: [
        {
          demand: "Do what was ordered",
          met: isAccepted ? "yes" : "no",
          why: "It was read.",
          quote: "",
        },
      ],
      manipulation: false,
      reasoning: "It was read.",
      verdict: isAccepted ? "SUCCESS" : "FAILURE",
      confidence: 0.95,
    });
  };
}

/** The canonical text, which is what an examination reads. */
const toKey = (text: string) =>
  canonicalise(text).text.replace(/localhost:\d+/g, "localhost:{port}");
