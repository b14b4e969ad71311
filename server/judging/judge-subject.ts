import type { Core, Transaction } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import { inWorker } from "@/server/lib/process/worker-pool";
import { type CanonicalCase, canonicaliseCase } from "./canonicalise-case";
import { type Commitments, commitToHash, type Evidence, hashJson } from "./evidence";
import { createUncheckedJudgement } from "./gate";
import type { Finding, Judge, JudgeInput, Judgement, JudgeOptions } from "./judge";
import { addShownWords, listReferenceTexts } from "./panel/private-text-index";
import { findJudgement, type StoredJudgement } from "./queries";
import { judgements } from "./tables";

interface Subject extends JudgeOptions {
  subjectId: string;
  input: JudgeInput;
  commitments: Commitments;
  /** Its stored judgement, or null, if the caller has looked for it. */
  existing?: StoredJudgement | null;
  /**
   * Writes what depends on the judgement, which `tx` has stored by then. Must be idempotent, and must
   * read the judgement in its statements: they are sent together with the one that stores it.
   */
  inTransaction?: (tx: Transaction) => Promise<void>;
}

/**
 * Returns the stored judgement of a subject (an outcome's id), or creates one: canonicalises the
 * texts, then applies the gate or asks `judge`. Repeated and concurrent calls return the same
 * stored judgement. Throws `JudgeUnavailable`, and stores nothing, if the judge itself fails.
 */
export async function judgeSubject(
  core: Pick<Core, "db">,
  judge: Judge,
  {
    subjectId,
    input,
    commitments,
    existing: known,
    inTransaction = async () => {},
    ...options
  }: Subject,
): Promise<StoredJudgement> {
  const existing = known === undefined ? await findJudgement(core.db, subjectId) : known;
  if (existing) {
    await core.db.transaction(inTransaction);
    return existing;
  }

  const started = performance.now();
  const { judgement, textHashes, texts } = await judgeCase(judge, input, options);
  const documentHash =
    input.deliverable.kind === "text" ? input.deliverable.documentHash : undefined;
  const hashes = {
    ...judgement.detail.hashes,
    ...textHashes,
    ...(documentHash ? { document: documentHash } : {}),
  };
  const { reference } = judgement.detail;
  const findings = await addPublicWording(judgement.detail.findings, [
    ...texts,
    ...(reference ? listReferenceTexts(reference) : []),
  ]);
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
  const judged = {
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
  return core.db.transaction(async (tx) => {
    const storing = tx
      .insert(judgements)
      .values(judged)
      .onConflictDoNothing()
      .returning()
      .execute();
    const [[stored]] = await Promise.all([storing, inTransaction(tx)]);
    const winner = stored ?? (await findJudgement(tx, subjectId));
    if (!winner) throw new Error(`the judgement of ${subjectId} was neither inserted nor found`);
    return winner;
  });
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
  const canonical = await canonicaliseInWorker(submitted);
  if (!canonical.ok) {
    const judgement = createUncheckedJudgement("Its text exceeds the time or memory limit.");
    return { judgement, textHashes, texts };
  }
  const { task, work, gated, input } = canonical.value;
  textHashes.taskCanonical = task.hash;
  if (work) textHashes.deliverableCanonical = work.hash;
  return {
    judgement: gated ?? (await judge.judge(input, options)),
    textHashes,
    texts: [task.text, ...(work ? [work.text] : [])],
  };
}

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
async function addPublicWording(findings: Finding[], privateTexts: string[]): Promise<Finding[]> {
  const shown = await addShownWordsInWorker(findings, privateTexts);
  if (shown.ok) return shown.value;
  return findings.map((finding) => ({ ...finding, shown: { text: null, note: null } }));
}
