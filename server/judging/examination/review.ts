import {
  deriveJudgement,
  reviewByChecks,
  toCheckInput,
} from "@/server/judging/checks/builtin-judge";
import { isDecidingFailure } from "@/server/judging/checks/confidence";
import type { CheckRunner } from "@/server/judging/checks/run-checks";
import { MAX_SHOWN_CHARACTERS, shortenText } from "@/server/judging/documents/shorten";
import type { Canonical, JudgeOptions, Review, ReviewInput } from "@/server/judging/judge";
import type { StoredExamination } from "@/server/judging/schema";
import { inWorker } from "@/server/lib/process/worker-pool";
import { decideReview, getVerdict } from "./decide";
import { createExaminer, type Models } from "./examine";
import { type ReviewFacts, writeReviewExplanation } from "./public-reasoning";
import { type ShownSide, selectFacts } from "./question";

/** Version of this method and its questions, stored with every review. */
export const REVIEW_VERSION = "examination-review/v1";

const MAX_SHOWN_DOCUMENT_CHARACTERS = 20_000;

const explainInWorker = inWorker<Parameters<typeof writeReviewExplanation>, string>(
  "server/judging/examination/public-reasoning.ts",
  "writeReviewExplanation",
  { forShort: writeReviewExplanation },
);

/**
 * Reviews a disputed verdict by two examinations that also see both sides, in either order, but not
 * the recorded verdict. Only if both contradict it is it overturned, and with a single model only if a
 * third one does too. A model that is down is waited for. If a check proves a failure, no model is asked.
 */
export async function reviewByExamination(
  { models, runChecks }: { models: Models; runChecks: CheckRunner },
  input: Canonical<ReviewInput>,
  options: JudgeOptions,
): Promise<Review> {
  const { task, deliverable, recorded, agreed } = input;
  const facts = agreed ? [] : await runChecks(toCheckInput(input), options);
  if (facts.some((fact) => isDecidingFailure(fact))) {
    return reviewByChecks(input, deriveJudgement(input, facts));
  }
  const material = {
    task,
    deliverable: shortenText(deliverable.text, MAX_SHOWN_CHARACTERS).text,
    facts: selectFacts(facts),
    criteria: agreed?.criteria,
    sides: listSides(input),
  };
  const examiner = createExaminer(models, "review", { ...options, mayReplaceModel: false });
  const swapped = { ...material, sides: material.sides.toReversed() };
  const examinations: StoredExamination[] = await examiner.examineTwice(material, swapped);
  const hasTwoModels = models.model !== models.escalationModel;
  if (
    !hasTwoModels &&
    decideReview(recorded.verdict, examinations).finalVerdict !== recorded.verdict
  ) {
    examinations.push(await examiner.examineAgain(material));
  }
  const decided = decideReview(recorded.verdict, examinations);
  const deciding =
    examinations.find((each) => getVerdict(each) === decided.finalVerdict) ?? examinations[0];
  const reviewFacts: ReviewFacts = {
    recorded: recorded.verdict,
    finalVerdict: decided.finalVerdict,
    isAgreed: agreed !== undefined,
    demands: deciding?.demands ?? [],
    reasoning: deciding?.reasoning ?? "",
    examinations,
  };
  const documents = [input.contractor, input.requester].flatMap((side) => side?.evidence ?? []);
  const explained = await explainInWorker.for(options.queueKey)(reviewFacts, [
    task,
    deliverable.text,
    ...documents,
  ]);
  return {
    judge: { kind: "llm", id: models.model },
    version: REVIEW_VERSION,
    ...decided,
    explanation: explained.ok ? explained.value : writeReviewExplanation(reviewFacts, null),
    detail: {
      version: REVIEW_VERSION,
      checks: facts,
      ...decided,
      examinations,
      calls: [...examiner.calls],
    },
  };
}

const listSides = (input: ReviewInput) =>
  (["contractor", "requester"] as const).map((party): ShownSide => {
    const { statement = null, evidence = null } = input[party] ?? {};
    const document = evidence && shortenText(evidence, MAX_SHOWN_DOCUMENT_CHARACTERS).text;
    return { party, statement, document };
  });
