import { randomBytes as secureBytes } from "node:crypto";
import { deriveJudgement, toCheckInput } from "@/server/judging/checks/builtin-judge";
import { isDecidingFailure, UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import type { CheckRunner } from "@/server/judging/checks/run-checks";
import { MAX_SHOWN_CHARACTERS, shortenText } from "@/server/judging/documents/shorten";
import { hashJson } from "@/server/judging/evidence";
import type {
  Canonical,
  Judge,
  Judgement,
  JudgementDetail,
  JudgeOptions,
} from "@/server/judging/judge";
import type { StoredExamination } from "@/server/judging/schema";
import { inWorker } from "@/server/lib/process/worker-pool";
import type { Verdict } from "@/server/lib/schema";
import { CALIBRATION, type Calibration } from "./calibration";
import { agree, combineDemands, decide, getVerdict } from "./decide";
import { createExaminer, type Examiner, type Models, NO_STATES, probeAndRecord } from "./examine";
import { type ReasoningFacts, toFindings, writeReasoning } from "./public-reasoning";
import { type Material, selectFacts } from "./question";
import { reviewByExamination } from "./review";

/** Version of the questions and of the rules that turn answers into a verdict. */
export const EXAMINATION_VERSION = "examination/v1";

export interface ModelJudgeOptions extends Pick<Models, "ask" | "model"> {
  escalationModel?: string;
  /** Base URL of the models. */
  endpoint?: string;
  states?: Models["states"];
  randomBytes?: Models["randomBytes"];
  runChecks: CheckRunner;
  calibration?: Calibration;
}

const writeInWorker = inWorker<
  Parameters<typeof writeReasoning>,
  ReturnType<typeof writeReasoning>
>("server/judging/examination/public-reasoning.ts", "writeReasoning", { forShort: writeReasoning });

/**
 * Creates a judge over language models. Code proves what it can; then two examinations at the same
 * time, one by each model, answer whether a fair client would accept the work. If they agree, that is
 * the verdict; otherwise a third one by the escalation model decides.
 */
export function createModelJudge({
  escalationModel,
  endpoint = "",
  states = NO_STATES,
  randomBytes = secureBytes,
  calibration = CALIBRATION,
  runChecks,
  ...options
}: ModelJudgeOptions): Judge {
  const models: Models = {
    ...options,
    states,
    randomBytes,
    escalationModel: escalationModel ?? options.model,
    probes: new Map(),
  };
  const { model } = models;
  const names = [...new Set([model, models.escalationModel])];
  return {
    kind: "llm",
    id: model,
    models: names,
    endpoint,
    version: EXAMINATION_VERSION,
    calibration: calibration.version,
    setup: names.length === 1 ? "single-model" : "two-models",
    judge: (input, further = {}) =>
      judgeByExamination({ models, runChecks, calibration }, input, further),
    review: (input, further = {}) => reviewByExamination({ models, runChecks }, input, further),
    probe: async (name, { onlyIfDue } = { onlyIfDue: false }) => {
      if (!onlyIfDue || (await states.claimProbe(name))) await probeAndRecord(models, name);
    },
  };
}

async function judgeByExamination(
  {
    models,
    runChecks,
    calibration,
  }: { models: Models; runChecks: CheckRunner; calibration: Calibration },
  input: Canonical,
  options: JudgeOptions,
): Promise<Judgement> {
  const { task, deliverable, agreed, flags } = input;
  const { queueKey } = options;
  const { text: shown, ...length } = shortenText(deliverable.text, MAX_SHOWN_CHARACTERS);
  // Under an agreement, its requirements were decided before.
  const facts = agreed ? [] : await runChecks(toCheckInput(input), options);
  if (facts.some((fact) => isDecidingFailure(fact))) return deriveJudgement(input, facts);

  const material: Material = {
    task,
    deliverable: shown,
    facts: selectFacts(facts),
    criteria: agreed?.criteria,
  };
  const examiner = createExaminer(models, "examination", options);
  const examinations = await examineUntilDecided(examiner, material);
  const hasTwoModels = models.model !== models.escalationModel;
  const { verdict, confidencePpm, stated } = decide(examinations, { hasTwoModels }, calibration);
  const isManipulative = examinations.some(({ manipulation }) => manipulation);
  const remarks: Pick<JudgementDetail, "flags" | "shortened"> = {
    flags: isManipulative ? [...flags, "manipulation"] : flags,
    ...(length.shown < length.of ? { shortened: length } : {}),
  };
  const reasoningFacts: ReasoningFacts = {
    ...selectPublished(examinations, verdict, agreed !== undefined),
    verdict,
    isAssessed: confidencePpm > UNDECIDED_PPM,
    isReplaced: examiner.isReplaced,
    ...remarks,
  };
  const written = await writeInWorker.for(queueKey)(reasoningFacts, [task, deliverable.text]);
  return {
    judge: { kind: "llm", id: models.model },
    verdict,
    confidencePpm,
    // Omits all of the models' words if the texts cannot be searched within the limits.
    reasoning: written.ok
      ? written.value.reasoning
      : writeReasoning(reasoningFacts, null).reasoning,
    detail: {
      version: EXAMINATION_VERSION,
      findings: written.ok ? written.value.findings : toFindings(reasoningFacts.demands, null),
      checks: facts,
      hashes: { checks: hashJson(facts), examinations: hashJson(examinations) },
      examinations,
      calls: [...examiner.calls],
      calibration: calibration.version,
      ...(stated === undefined ? {} : { stated }),
      ...remarks,
    },
  };
}

/** Examines twice, and once more if the two do not agree. */
async function examineUntilDecided(
  examiner: Examiner,
  material: Material,
): Promise<StoredExamination[]> {
  const [first, second] = await examiner.examineTwice(material, material);
  return agree(first, second)
    ? [first, second]
    : [first, second, await examiner.examineAgain(material)];
}

/** Selects what the reasoning says of the examinations: the words of one that gave the verdict. */
function selectPublished(
  examinations: readonly StoredExamination[],
  verdict: Verdict,
  isAgreed: boolean,
) {
  const deciding = examinations.find((each) => getVerdict(each) === verdict);
  return {
    examinations,
    isAgreed,
    demands: isAgreed ? combineDemands(examinations) : (deciding?.demands ?? []),
    reasoning: deciding?.reasoning ?? "",
  };
}
