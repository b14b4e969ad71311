import { sha256 } from "@/server/lib/hash";
import { inWorker } from "@/server/lib/process/worker-pool";
import { type CanonicalCase, canonicaliseCase } from "./canonicalise-case";
import { type Commitments, commitToHash, type Evidence, hashJson } from "./evidence";
import type { Finding, Judge, JudgeInput, Judgement, JudgeOptions } from "./judge";
import { addShownWords, listReferenceTexts } from "./panel/private-text-index";
import { createUnassessedJudgement, createUncheckedJudgement } from "./pre-check";
import type { NewJudgement } from "./queries";

interface Subject extends JudgeOptions {
  subjectId: string;
  /** Null if a fault of the service keeps it from being judged: it is then not assessed. */
  input: JudgeInput | null;
  commitments: Commitments;
}

/**
 * Judges a subject (an outcome): canonicalises the texts, then applies the pre-check or asks `judge`. The
 * caller stores the result. Throws `JudgeUnavailable` if the judge itself fails.
 */
export async function judgeSubject(
  judge: Judge,
  { subjectId, input, commitments, ...options }: Subject,
): Promise<NewJudgement> {
  const started = performance.now();
  const { judgement, textHashes, texts } = input
    ? await judgeCase(judge, input, options)
    : { judgement: createUnassessedJudgement(), textHashes: {}, texts: [] };
  const documentHash =
    input?.deliverable.kind === "text" ? input.deliverable.documentHash : undefined;
  const hashes = {
    ...judgement.detail.hashes,
    ...textHashes,
    ...(documentHash ? { document: documentHash } : {}),
  };
  const { reference } = judgement.detail;
  const findings = await addPublicWording(
    judgement.detail.findings,
    [...texts, ...(reference ? listReferenceTexts(reference) : [])],
    options,
  );
  const { salt, taskHash, deliverableHash } = commitments;
  const evidence: Evidence = {
    outcomeId: subjectId,
    taskHash,
    deliverableHash,
    documentHash: commitToHash(salt, documentHash),
    rubricHash: commitToHash(salt, judgement.detail.hashes.rubric),
    checksHash: commitToHash(salt, judgement.detail.hashes.checks),
    votesHash: commitToHash(salt, judgement.detail.hashes.votes),
    verdict: judgement.verdict,
    confPpm: judgement.confidencePpm,
    judgeVersion: judgement.detail.version,
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
    detail: { ...judgement.detail, findings, hashes },
    durationMs: Math.round(performance.now() - started),
  };
}

const canonicaliseInWorker = inWorker<[JudgeInput], CanonicalCase<JudgeInput>>(
  "server/judging/canonicalise-case.ts",
  "canonicaliseCase",
  { forShort: canonicaliseCase },
);

interface JudgedCase {
  judgement: Judgement;
  /** SHA-256 of task and deliverable, both as submitted and in canonical form. */
  textHashes: Record<string, string>;
  /** Task and deliverable, in canonical form if they have one. */
  texts: string[];
}

/**
 * Judges the submitted texts in canonical form, without storing anything. Texts that cannot be
 * canonicalised within the limits are not checked: the judgement says so and has no weight.
 */
export async function judgeCase(
  judge: Judge,
  submitted: JudgeInput,
  options: JudgeOptions = {},
): Promise<JudgedCase> {
  const texts = [submitted.task];
  const textHashes: Record<string, string> = { task: sha256(submitted.task) };
  if (submitted.deliverable.kind === "text") {
    texts.push(submitted.deliverable.text);
    textHashes.deliverable = sha256(submitted.deliverable.text);
  }
  const canonical = await canonicaliseInWorker.for(options.queueKey)(submitted);
  if (!canonical.ok) {
    const judgement = createUncheckedJudgement("Its text exceeds the time or memory limit.");
    return { judgement, textHashes, texts };
  }
  const { task, work, decided, input } = canonical.value;
  textHashes.taskCanonical = task.hash;
  if (work) textHashes.deliverableCanonical = work.hash;
  return {
    judgement: decided ?? (await judge.judge(input, options)),
    textHashes,
    texts: [task.text, ...(work ? [work.text] : [])],
  };
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

const addShownWordsInWorker = inWorker<Parameters<typeof addShownWords>, Finding[]>(
  "server/judging/panel/private-text-index.ts",
  "addShownWords",
  { forShort: addShownWords },
);

/**
 * Adds the public wording to the findings. Runs once, while the texts are available, because
 * judgements are read often. Makes no wording public if the texts cannot be searched within the
 * limits.
 */
async function addPublicWording(
  findings: Finding[],
  privateTexts: string[],
  { queueKey }: JudgeOptions,
): Promise<Finding[]> {
  const shown = await addShownWordsInWorker.for(queueKey)(findings, privateTexts);
  if (shown.ok) return shown.value;
  return findings.map((finding) => ({ ...finding, shown: { text: null, note: null } }));
}
