import type { X402Receipt } from "@/server/chain/schema";
import { sha256 } from "@/server/lib/hash";
import { inWorker } from "@/server/lib/process/worker-pool";
import { type CanonicalCase, canonicaliseCase } from "./canonicalise-case";
import {
  type AgreementEvidence,
  type Commitments,
  commitToHash,
  type Evidence,
  hashJson,
} from "./evidence";
import type { AgreedCase, Judge, JudgeInput, Judgement, JudgeOptions } from "./judge";
import { addRequirements, decideAgreed } from "./judge-agreed";
import { createUnassessedJudgement, createUncheckedJudgement } from "./pre-check";
import type { NewJudgement } from "./queries";
import type { AgreedTerms } from "./requirements/agreed-terms";
import type { RequirementResult } from "./requirements/schema";

interface Subject extends JudgeOptions {
  subjectId: string;
  /** Null if a fault of the service keeps it from being judged: it is then not assessed. */
  input: JudgeInput | null;
  /** The agreement that it ends. */
  agreed?: AgreedTerms | undefined;
  commitments: Commitments;
  /** The contractor's receipt of the payment. */
  x402Receipt?: X402Receipt | null;
}

/**
 * Judges a subject (an outcome): canonicalises the texts, then applies the pre-check or asks `judge`. The
 * caller stores the result. Throws `JudgeUnavailable` if the judge itself fails.
 */
export async function judgeSubject(
  judge: Judge,
  { subjectId, input, agreed, commitments, x402Receipt, ...options }: Subject,
): Promise<NewJudgement> {
  const started = performance.now();
  const { judgement, textHashes, requirements } = input
    ? await judgeCase(judge, input, options)
    : {
        judgement: createUnassessedJudgement(agreed ? "FAILURE" : "SUCCESS"),
        textHashes: {},
        requirements: [],
      };
  const documentHash =
    input?.deliverable.kind === "text"
      ? input.deliverable.documentHash
      : input?.delivered?.file?.sha256;
  const hashes = {
    ...judgement.detail.hashes,
    ...textHashes,
    ...(documentHash ? { document: documentHash } : {}),
  };
  const { salt, taskHash, deliverableHash } = commitments;
  const evidence: Evidence = {
    outcomeId: subjectId,
    taskHash,
    deliverableHash,
    documentHash: commitToHash(salt, documentHash),
    checksHash: commitToHash(salt, judgement.detail.hashes.checks),
    examinationsHash: commitToHash(salt, judgement.detail.hashes.examinations),
    verdict: judgement.verdict,
    confPpm: judgement.confidencePpm,
    judgeVersion: judgement.detail.version,
    reasoningHash: sha256(judgement.reasoning),
    ...(agreed ? { agreement: toAgreementEvidence(agreed, requirements) } : {}),
    ...(x402Receipt ? { x402Receipt } : {}),
  };
  return {
    subjectId,
    judgeKind: judgement.judge.kind,
    judgeId: judgement.judge.id,
    verdict: judgement.verdict,
    confidencePpm: judgement.confidencePpm,
    reasoning: judgement.reasoning,
    evidence,
    evidenceHash: hashJson(evidence),
    detail: { ...judgement.detail, hashes },
    durationMs: Math.round(performance.now() - started),
  };
}

const toAgreementEvidence = (
  { termsHash, consent }: AgreedTerms,
  requirements: RequirementResult[],
): AgreementEvidence => ({
  termsHash,
  ...consent,
  requirements: requirements.map(({ description, passed, observed }) => ({
    description,
    passed,
    observed,
  })),
});

const canonicaliseInWorker = inWorker<[JudgeInput], CanonicalCase<JudgeInput>>(
  "server/judging/canonicalise-case.ts",
  "canonicaliseCase",
  { forShort: canonicaliseCase },
);

interface JudgedCase {
  judgement: Judgement;
  /** SHA-256 of task and deliverable, both as submitted and in canonical form. */
  textHashes: Record<string, string>;
  /** How the requirements of an agreement came out. */
  requirements: RequirementResult[];
}

/**
 * Judges a case without storing anything. Under an agreement, code decides the requirements, and the
 * judge only criteria that are left.
 */
export async function judgeCase(
  judge: Judge,
  submitted: JudgeInput,
  options: JudgeOptions = {},
): Promise<JudgedCase> {
  const agreed = submitted.agreed ? await decideAgreed(submitted as AgreedCase, options) : null;
  const requirements = agreed?.requirements ?? [];
  if (agreed?.judgement) {
    return { judgement: agreed.judgement, requirements, textHashes: hashTexts(submitted) };
  }
  const { judgement, ...judged } = await judgeTexts(judge, submitted, options);
  return {
    ...judged,
    judgement: agreed ? addRequirements(judgement, requirements) : judgement,
    requirements,
  };
}

function hashTexts({ task, deliverable }: JudgeInput): JudgedCase["textHashes"] {
  const isText = deliverable.kind === "text";
  return { task: sha256(task), ...(isText && { deliverable: sha256(deliverable.text) }) };
}

/**
 * Judges the submitted texts in canonical form. Texts that cannot be canonicalised within the limits
 * are not checked: the judgement says so and has no weight.
 */
async function judgeTexts(
  judge: Judge,
  submitted: JudgeInput,
  options: JudgeOptions,
): Promise<Omit<JudgedCase, "requirements">> {
  const textHashes = hashTexts(submitted);
  const canonical = await canonicaliseInWorker.for(options.queueKey)(submitted);
  if (!canonical.ok) {
    const judgement = createUncheckedJudgement("Its text exceeds the time or memory limit.");
    return { judgement, textHashes };
  }
  const { task, work, decided, input } = canonical.value;
  textHashes.taskCanonical = task.hash;
  if (work) textHashes.deliverableCanonical = work.hash;
  return { judgement: decided ?? (await judge.judge(input, options)), textHashes };
}

const HARMLESS: JudgeInput = {
  task: "Write one sentence that names the capital of France.",
  category: "content",
  deliverable: { kind: "text", text: "The capital of France is Paris.", source: "content" },
};

/** Returns whether `judge` decides about a harmless text, so that a fault concerns other texts only. */
export const canJudge = (judge: Judge): Promise<boolean> =>
  judgeCase(judge, HARMLESS).then(
    () => true,
    () => false,
  );
