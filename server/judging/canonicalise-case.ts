import { type CanonicalForm, canonicalise } from "./canonicalise";
import type { Brief, Canonical, JudgeInput, Judgement, ReviewInput } from "./judge";
import { applyPreCheck } from "./pre-check";
import type { Flag } from "./schema";

/** A case with all its texts in canonical form. `decided` is its judgement if it needs no judge. */
export type CanonicalCase<Input extends JudgeInput> = {
  task: CanonicalForm;
  /** Null if there is no text to judge. */
  work: CanonicalForm | null;
} & ({ decided: Judgement; input: Input } | { decided: null; input: Canonical<Input> });

/**
 * Converts task and deliverable to canonical form and applies the pre-check. Judges receive only cases
 * from here. Pure; may be slow for long texts.
 */
export function canonicaliseCase<Input extends JudgeInput>(submitted: Input): CanonicalCase<Input> {
  const { deliverable } = submitted;
  const task = canonicalise(submitted.task);
  const work = deliverable.kind === "text" ? canonicalise(deliverable.text) : null;
  const forms = work ? [task, work] : [task];
  const flags: Flag[] = [];
  if (forms.some(({ hasHiddenText }) => hasHiddenText)) flags.push("hidden-characters");
  if (forms.some(({ exceedsGrowthLimit }) => exceedsGrowthLimit)) flags.push("not-normalised");
  const input = {
    ...submitted,
    task: task.text,
    deliverable: work ? { ...deliverable, text: work.text } : deliverable,
    flags,
  };
  const decided = applyPreCheck(input);
  return decided
    ? { task, work, decided, input }
    : { task, work, decided, input: input as Canonical<Input> };
}

/** Like `canonicaliseCase`, but also converts the statements and documents of both parties. */
export function canonicaliseReview(submitted: ReviewInput): CanonicalCase<ReviewInput> {
  const toCanonical = (text: string | null) => text && canonicalise(text).text;
  const toCanonicalBrief = (brief: Brief | null) =>
    brief && {
      statement: toCanonical(brief.statement),
      evidence: toCanonical(brief.evidence),
    };
  return canonicaliseCase({
    ...submitted,
    contractor: toCanonicalBrief(submitted.contractor),
    requester: toCanonicalBrief(submitted.requester),
  });
}
