import type { Criterion, KeptVote } from "@/server/judging/schema";
import { askTwice, type Panel } from "./ask-twice";
import { type Cast, NOTHING } from "./cast-vote";
import type { QuoteCheck } from "./quotes";
import { drawFresh, shuffled } from "./randomness";
import { type ReviewMaterial, reviewQuestion } from "./review-prompt";
import { askedId } from "./vote-prompt";

/** Quotation checks for the deliverable and for each party's document. */
export interface ReviewQuotes {
  deliverable: QuoteCheck;
  documents: readonly QuoteCheck[];
}

/**
 * Casts one vote of a review. A "yes" must be proven by the deliverable, as in a first judgement;
 * evidence against it may also come from a document.
 */
export async function castReview(
  panel: Panel,
  material: Omit<ReviewMaterial, "criteria"> & { rubric: readonly Criterion[] },
  quotes: ReviewQuotes,
  { model, signal }: { model: string; signal?: AbortSignal },
): Promise<Cast> {
  const { defences, randomBytes } = panel;
  const { rubric, ...texts } = material;
  const criteria = shuffled(rubric, randomBytes);
  const tries = [drawFresh(randomBytes), drawFresh(randomBytes)] as const;
  const { answered, at, spent } = await askTwice(panel, tries, (fresh) =>
    reviewQuestion({ ...texts, criteria }, fresh, { model, defences, signal }),
  );
  const base = { call: answered.call, order: criteria.map(({ id }) => id) };
  if (answered.outcome !== "answer") {
    return { vote: { ...base, ...NOTHING, outcome: answered.outcome }, spent };
  }
  const { value } = answered;
  return {
    vote: {
      ...base,
      outcome: "answer",
      findings: criteria.flatMap((criterion, index) => {
        const said = value.criteria.find(({ id }) => id === askedId(index, at));
        return said ? findingOn(criterion, said, quotes) : [];
      }),
      injectionSuspected: value.injectionSuspected,
      canaryKept: value.canary.trim().toLowerCase() === at.canary,
      summary: value.summary,
      modelVerdict: value.modelVerdict,
    },
    spent,
  };
}

function findingOn(
  criterion: Criterion,
  { quote, finding, met }: Omit<KeptVote["findings"][number], "standing">,
  { deliverable, documents }: ReviewQuotes,
): KeptVote["findings"][number] {
  const said = { id: criterion.id, quote, finding };
  if (met === "yes") {
    const standing = deliverable.proves(quote, criterion);
    const isUnproven = criterion.proof === "quote" && !standing;
    return { ...said, met: isUnproven ? "cannot_verify" : met, standing };
  }
  const standing =
    deliverable.stands(quote) || documents.some((document) => document.proves(quote, criterion));
  return { ...said, met, standing };
}
