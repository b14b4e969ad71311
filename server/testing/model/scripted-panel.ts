import { createModelClient } from "@/server/judging/model-client/model-client";
import { createPanelJudge, type PanelOptions } from "@/server/judging/panel/panel-judge";
import { runChecksOffline } from "./offline-checks";
import {
  answerClaims,
  answerOtherQuestion,
  getQuestionKind,
  isControlCriterion,
  type ModelReply,
  type ModelRequest,
  parseVoteMaterial,
  type QuestionKind,
  type ScriptedClaim,
  startScriptedModel,
  type VoteMaterial,
} from "./scripted-model";

type Criterion = { text: string; kind: "must" | "should"; proof: "quote" | "absence" };

/** Returns whether a vote should find this criterion unmet, since it is on another subject. */
export const isControl = ({ text }: { text: string }) => isControlCriterion(text);

/** Three criteria; the first two are decisive. */
export const RUBRIC: Criterion[] = [
  { text: "Names a river of the Alps", kind: "must", proof: "quote" },
  { text: "Holds no invented figure", kind: "must", proof: "absence" },
  { text: "Says where the river ends", kind: "should", proof: "quote" },
];

export interface ScriptedFinding {
  against?: string;
  quote?: string;
  finding?: string;
  met?: "yes" | "no" | "partial" | "cannot_verify";
}

/**
 * Builds a vote: `findings` by words of the criterion; all other criteria are met, citing `quote`,
 * except one on another subject.
 */
export function createVote(
  { criteria, canary }: VoteMaterial,
  quote: string,
  findings: Record<string, ScriptedFinding> = {},
  rest: Record<string, unknown> = {},
): ModelReply {
  const findingFor = (text: string) =>
    Object.entries(findings).find(([words]) => text.includes(words))?.[1] ?? {};
  return {
    content: {
      criteria: criteria.map((criterion) => ({
        id: criterion.id,
        against: "",
        quote: isControl(criterion) ? "" : quote,
        finding: "It does.",
        met: isControl(criterion) ? "no" : "yes",
        ...findingFor(criterion.text),
      })),
      injectionSuspected: false,
      canary,
      summary: "A text.",
      modelVerdict: "SUCCESS",
      ...rest,
    },
  };
}

interface Script {
  rubric?: (request: ModelRequest) => ModelReply;
  /** By default the criteria of the rubric, without key points. */
  reference?: (request: ModelRequest) => ModelReply;
  /** By default every quotation supports its criterion, unless that is on another subject. */
  entailment?: (claim: ScriptedClaim) => boolean;
  /** `nth` counts from 1, over all votes. */
  vote: (material: VoteMaterial, nth: number, model: string) => ModelReply | Promise<ModelReply>;
  /**
   * The reply to the harmless control question that detects prompt injection; correct by default.
   */
  control?: (material: VoteMaterial) => ModelReply;
  /** A model that replies to every question alike. */
  failing?: { model: string; reply: ModelReply };
}

/**
 * Creates a panel over a scripted model, called over real HTTP; one request at a time by default.
 */
export async function createScriptedPanel(
  script: Script,
  { concurrency = 1, ...options }: Partial<PanelOptions> & { concurrency?: number } = {},
) {
  let votes = 0;
  const kinds: (QuestionKind | "control")[] = [];
  const model = await startScriptedModel({
    answer: (request) => {
      const { model } = request.body;
      if (model === script.failing?.model) return script.failing.reply;
      const kind = getQuestionKind(request);
      const user = request.body.messages.at(-1)?.content ?? "";
      if (kind !== "vote") {
        kinds.push(kind);
        const scripted =
          kind === "entailment"
            ? script.entailment && answerClaims(request, script.entailment)
            : script[kind]?.(request);
        return scripted ?? answerOtherQuestion(request, RUBRIC);
      }
      const material = parseVoteMaterial(user);
      if (material.task.includes("the capital of France")) {
        kinds.push("control");
        return script.control?.(material) ?? createVote(material, material.deliverable);
      }
      kinds.push("vote");
      votes += 1;
      return script.vote(material, votes, model);
    },
  });
  const ask = createModelClient(
    { OPENAI_BASE_URL: model.url, JUDGE_TIMEOUT_SECONDS: 20, JUDGE_CONCURRENCY: concurrency },
    { sleep: async () => {} },
  );
  return {
    ...model,
    /** The kinds of the requests, in order. */
    kinds,
    judge: createPanelJudge({
      ask,
      runChecks: runChecksOffline,
      model: "first-1",
      escalationModel: "further-1",
      ...options,
    }),
  };
}
