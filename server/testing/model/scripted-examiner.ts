import { createModelJudge, type ModelJudgeOptions } from "@/server/judging/examination/model-judge";
import { createModelClient } from "@/server/judging/model-client/model-client";
import { runChecksOffline } from "./offline-checks";
import {
  createAnswer,
  isProbe,
  type ModelReply,
  parseMaterial,
  type ScriptedMaterial,
  startScriptedModel,
} from "./scripted-model";

interface Script {
  /** `nth` counts from 1, over all examinations. */
  examine: (
    material: ScriptedMaterial,
    nth: number,
    model: string,
  ) => ModelReply | Promise<ModelReply>;
  /** The reply to the harmless question that shows whether a model responds; an answer by default. */
  probe?: (material: ScriptedMaterial, model: string) => ModelReply;
  /** A model that replies to every question alike. */
  failing?: { model: string; reply: ModelReply };
}

/**
 * Creates a judge over scripted models, called over real HTTP; one request at a time by default, so
 * that examinations have an order.
 */
export async function createScriptedExaminer(
  script: Script,
  { concurrency = 1, ...options }: Partial<ModelJudgeOptions> & { concurrency?: number } = {},
) {
  let examinations = 0;
  /** What was asked of which model, in order. */
  const asked: { model: string; kind: "examination" | "probe" }[] = [];
  const server = await startScriptedModel({
    answer: ({ body: { model, messages } }) => {
      const material = parseMaterial(messages.at(-1)?.content ?? "");
      const kind = isProbe(material) ? "probe" : "examination";
      asked.push({ model, kind });
      if (model === script.failing?.model) return script.failing.reply;
      if (kind === "probe") return script.probe?.(material, model) ?? createAnswer(material);
      examinations += 1;
      return script.examine(material, examinations, model);
    },
  });
  const ask = createModelClient(
    { OPENAI_BASE_URL: server.url, JUDGE_TIMEOUT_SECONDS: 20, JUDGE_CONCURRENCY: concurrency },
    { sleep: async () => {} },
  );
  return {
    ...server,
    asked,
    judge: createModelJudge({
      ask,
      runChecks: runChecksOffline,
      model: "first-1",
      escalationModel: "further-1",
      ...options,
    }),
  };
}
