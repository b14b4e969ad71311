import { canonicalise } from "./canonicalise";
import { gate } from "./gate";
import type { JudgeOptions } from "./judge";
import type { Brief, Review, Reviewer, ReviewInput } from "./review";

/**
 * Reviews a disputed verdict: texts are made canonical, then the gate decides, or else `reviewer`.
 * What the gate fails holds no work that statements or evidence could be about; a work that is only
 * shown in a dispute was not delivered. Throws `JudgeUnavailable` when the reviewer cannot decide by
 * its own fault.
 */
export async function reviewCase(
  reviewer: Reviewer,
  input: ReviewInput,
  options?: JudgeOptions,
): Promise<Review> {
  const canonical = canonicalCase(input);
  const gated = gate(canonical);
  if (!gated) return reviewer.review(canonical, options);
  const { judge, detail } = gated;
  return {
    judge,
    version: detail.version,
    finalVerdict: gated.verdict,
    explanation: `${gated.reasoning} No statement or evidence can make up for that.`,
    detail: { ...detail },
  };
}

function canonicalCase(input: ReviewInput): ReviewInput {
  const { deliverable } = input;
  const text = (raw: string) => canonicalise(raw).text;
  const brief = (of: Brief | null) =>
    of && {
      statement: of.statement === null ? null : text(of.statement),
      evidence: of.evidence === null ? null : text(of.evidence),
    };
  return {
    ...input,
    task: text(input.task),
    deliverable:
      deliverable.kind === "text" ? { ...deliverable, text: text(deliverable.text) } : deliverable,
    contractor: brief(input.contractor),
    requester: brief(input.requester),
  };
}
