import type { Answer } from "@/server/judging/model-client/ask";
import type { Panel } from "./panel";
import { drawNonces } from "./prompts/randomness";
import { buildVoteQuestion, type VoteAnswer, type VoteMaterial } from "./prompts/vote-prompt";

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
export function probeModel(
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
