import type { Core } from "@/server/lib/context";
import { type Canonical, canonicalise } from "./canonicalise";
import { type Commitments, commitToHash, type Evidence, evidenceHash } from "./evidence";
import { gate } from "./gate";
import type { Finding, Judge, JudgeInput, Judgement, JudgeOptions } from "./judge";
import { type PrivateWords, privateWords } from "./panel/private-words";
import { findJudgement, type StoredJudgement } from "./queries";
import { judgements } from "./tables";

/**
 * The judgement of a subject (an outcome's id): the one that stands, or a new one. Texts are made
 * canonical, then the gate decides, or else `judge`. Asked twice, even at once, it answers the same
 * stored judgement. Throws `JudgeUnavailable` when the judge cannot decide by its own fault;
 * nothing is stored then.
 */
export async function judgeSubject(
  core: Pick<Core, "db">,
  judge: Judge,
  {
    subjectId,
    input,
    commitments,
    ...options
  }: { subjectId: string; input: JudgeInput; commitments: Commitments } & JudgeOptions,
): Promise<StoredJudgement> {
  const standing = await findJudgement(core.db, subjectId);
  if (standing) return standing;

  const started = performance.now();
  const { judgement, task, text } = await examine(judge, input, options);
  const documentHash =
    input.deliverable.kind === "text" ? input.deliverable.documentHash : undefined;
  const hashes = {
    ...judgement.detail.hashes,
    task: task.rawHash,
    taskCanonical: task.textHash,
    ...(text ? { deliverable: text.rawHash, deliverableCanonical: text.textHash } : {}),
    ...(documentHash ? { document: documentHash } : {}),
  };
  const known = privateWords([task.text, ...(text ? [text.text] : [])]);
  const findings = judgement.detail.findings.map((finding) => withShown(finding, known));
  const { salt, taskHash, deliverableHash } = commitments;
  const evidence: Evidence = {
    outcomeId: subjectId,
    taskHash,
    deliverableHash,
    documentHash: commitToHash(salt, documentHash),
    rubricHash: commitToHash(salt, judgement.detail.hashes.rubric),
    votesHash: commitToHash(salt, judgement.detail.hashes.votes),
    verdict: judgement.verdict,
    confPpm: judgement.confidencePpm,
    judgeVersion: judgement.detail.version,
  };
  const [stored] = await core.db
    .insert(judgements)
    .values({
      subjectId,
      judgeKind: judgement.judge.kind,
      judgeId: judgement.judge.id,
      verdict: judgement.verdict,
      confidencePpm: judgement.confidencePpm,
      reasoning: judgement.reasoning,
      evidence,
      evidenceHash: evidenceHash(evidence),
      detail: { ...judgement.detail, findings, hashes },
      durationMs: Math.round(performance.now() - started),
    })
    .onConflictDoNothing()
    .returning();
  const winner = stored ?? (await findJudgement(core.db, subjectId));
  if (!winner) throw new Error(`the judgement of ${subjectId} is neither new nor there`);
  return winner;
}

/** The judgement of what was sent, made canonical before anything looks at it. Stores nothing. */
export async function examine(
  judge: Judge,
  input: JudgeInput,
  options: JudgeOptions = {},
): Promise<{ judgement: Judgement; task: Canonical; text: Canonical | null }> {
  const task = canonicalise(input.task);
  const text = input.deliverable.kind === "text" ? canonicalise(input.deliverable.text) : null;
  const canonical = canonicalInput(input, task, text);
  return { judgement: gate(canonical) ?? (await judge.judge(canonical, options)), task, text };
}

/** Decided once, with the texts at hand: a judgement may be read often. */
function withShown(finding: Finding, known: PrivateWords): Finding {
  const { text, note } = finding;
  return {
    ...finding,
    shown: {
      text: known.quotedIn(text) ? null : text,
      note: note === undefined || known.toldIn(note) ? null : note,
    },
  };
}

function canonicalInput(input: JudgeInput, task: Canonical, text: Canonical | null): JudgeInput {
  const { deliverable } = input;
  const hidesText = task.hidesText || text?.hidesText;
  return {
    ...input,
    task: task.text,
    ...(hidesText ? { flags: [...(input.flags ?? []), "hidden-characters" as const] } : {}),
    deliverable:
      text && deliverable.kind === "text" ? { ...deliverable, text: text.text } : deliverable,
  };
}
