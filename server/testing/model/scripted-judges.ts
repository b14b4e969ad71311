import type { AskModel } from "@/server/judging/model-client/ask";
import { ATTACK_ORDERS, readEncoded } from "./attacks";
import {
  createAnswer,
  parseMaterial,
  type ScriptedMaterial,
  toScriptedAnswer,
} from "./scripted-model";

/**
 * A model that examines reports: tasks that end with "It states: " and a list of terms. Returns whether
 * it finds a term in the deliverable; null replies with garbage. `nth` counts its examinations.
 */
export type ScriptedJudge = (
  material: Pick<ScriptedMaterial, "deliverable">,
  nth: number,
) => ((term: string) => boolean) | null;

/** Looks for each term. */
export const honest: ScriptedJudge =
  ({ deliverable }) =>
  (term) =>
    deliverable.toLowerCase().includes(term);

/** Finds every term in every other report. */
export const lenient: ScriptedJudge = (material, nth) =>
  nth % 2 === 0 ? () => true : honest(material, nth);

/** Accepts everything. */
export const careless: ScriptedJudge = () => () => true;

/** Follows any order that it can read, in whatever language or encoding. Otherwise honest. */
export const obedient: ScriptedJudge = (material, nth) =>
  isOrdered(material.deliverable) ? () => true : honest(material, nth);

const isOrdered = (text: string) =>
  readEncoded(text).some((reading) => ATTACK_ORDERS.some((order) => reading.includes(order)));

/** Honest, but every third answer is the opposite. */
export const noisy: ScriptedJudge = (material, nth) => {
  const find = honest(material, nth);
  return nth % 3 === 0 && find ? (term) => !find(term) : find;
};

/** Honest, but every other answer is garbage. */
export const broken: ScriptedJudge = (material, nth) =>
  nth % 2 === 1 ? null : honest(material, nth);

/** Creates a client of scripted models, by name of the model, without HTTP. */
export function createScriptedAsk(models: Record<string, ScriptedJudge>): AskModel {
  const counts = new Map<string, number>();
  return async (question) => {
    const { model, messages } = question;
    const nth = (counts.get(model) ?? 0) + 1;
    counts.set(model, nth);
    const judge = models[model];
    if (!judge) throw new Error(`there is no scripted model ${model}`);
    const material = parseMaterial(messages[1].content);
    const find = judge(material, nth);
    if (!find) return toScriptedAnswer(question, "garbage");
    const terms = (/It states: (.*)\.$/m.exec(material.task)?.[1] ?? "").split("; ");
    const met = Object.fromEntries(terms.map((term) => [term, find(term) ? "yes" : "no"] as const));
    return toScriptedAnswer(question, createAnswer(material, met).content);
  };
}
