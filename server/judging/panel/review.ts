import { shortenText } from "@/server/judging/documents/shorten";
import type { Canonical, JudgeOptions, Review, ReviewInput } from "@/server/judging/judge";
import { upholdUnchecked } from "@/server/judging/pre-check";
import type { Criterion, Met, StoredVote } from "@/server/judging/schema";
import { inWorker } from "@/server/lib/process/worker-pool";
import type { CaseTexts, prepareCaseTexts } from "./case-texts";
import { type Ballot, castVotes } from "./cast-votes";
import { createModelCalls } from "./model-calls";
import type { Panel } from "./panel";
import { drawMark, shuffle } from "./prompts/randomness";
import {
  type ShownBrief,
  type Submissions,
  toSections,
  type VoteMaterial,
} from "./prompts/vote-prompt";
import { type ReviewFacts, writeReviewExplanation } from "./public-reasoning";
import { createQuoteCheck } from "./quotes";
import { checkInCode } from "./rubric/code-findings";
import { getRubric } from "./rubric/rubric";
import { addCodeFindings, countVotes, decideByMajority, weighReview } from "./tally";

/** Version of this method and its prompts, stored with every review. */
export const REVIEW_VERSION = "panel-review/v4";

const VOTES_PER_PASS = 3;
const MAX_SHOWN_DOCUMENT_CHARACTERS = 20_000;

const SUPPLIED_ORIGIN =
  "Supplied by the contractor in this dispute. The requester had submitted another text as the deliverable.";

type Pass = { name: "blind" | "contractor-first" | "requester-first"; votes: StoredVote[] };

const prepareInWorker = inWorker<Parameters<typeof prepareCaseTexts>, CaseTexts>(
  "server/judging/panel/case-texts.ts",
  "prepareCaseTexts",
);
const explainInWorker = inWorker<Parameters<typeof writeReviewExplanation>, string>(
  "server/judging/panel/public-reasoning.ts",
  "writeReviewExplanation",
);

/**
 * Reviews a disputed verdict with the criteria of the first judgement, in three passes of three
 * votes each. A blind pass sees the documents but neither statements nor earlier findings; the two
 * others see both briefs, in either order, followed by the earlier findings. Checks run again and
 * count in every pass. Code weighs the findings (`weighReview`). Uses the escalation model, since the
 * parties pay for a second opinion.
 */
export async function reviewByPanel(
  panel: Panel,
  input: Canonical<ReviewInput>,
  options: JudgeOptions,
): Promise<Review> {
  const { task, recorded, isSupplied } = input;
  const prepared = await prepareInWorker.for(options.queueKey)(input);
  if (!prepared.ok) {
    return upholdUnchecked(input, "The texts exceed the time or memory limit.");
  }
  const texts = prepared.value;
  const { shownDeliverable: shown } = texts;
  // Its parties pay for a review, so it makes as many calls as it needs.
  const calls = createModelCalls(panel, options, Number.POSITIVE_INFINITY);
  // The criteria of the agreement or of the first judge; the panel's if that judge had none.
  const { criteria: rubric } =
    recorded.rubric && !input.agreed
      ? { criteria: recorded.rubric }
      : await getRubric(panel, calls, input);
  const { criteria, decided, facts } = await checkInCode(
    panel,
    input,
    { criteria: rubric },
    options,
  );

  const briefs = (["contractor", "requester"] as const).map((party): ShownBrief => {
    const { statement = null, evidence = null } = input[party] ?? {};
    const document = evidence ? shortenText(evidence, MAX_SHOWN_DOCUMENT_CHARACTERS).text : null;
    return { party, statement, document };
  });
  const documents = briefs.flatMap(({ document }) => document ?? []);
  // Findings on another deliverable do not apply to this one.
  const earlier = isSupplied
    ? { deliverableOrigin: SUPPLIED_ORIGIN }
    : { earlierFindings: listEarlierFindings(input, criteria) };
  const quotes = createQuoteCheck(texts.quotes);
  const material: VoteMaterial = {
    task,
    deliverable: shown,
    criteria: criteria.filter(({ id }) => !decided.has(id)),
    facts: facts.filter(({ result }) => result.outcome !== "not-applicable"),
  };
  const model = panel.escalationModel;
  const toBallot = (submissions: Submissions): Ballot => ({
    model,
    material: { ...material, submissions },
    role: "examiner",
    control: null,
    quotes,
  });
  const ballots: [Pass["name"], Ballot][] = [
    ["blind", toBallot({ documents: shuffle(documents, panel.randomBytes) })],
    ["contractor-first", toBallot({ briefs, ...earlier })],
    ["requester-first", toBallot({ briefs: briefs.toReversed(), ...earlier })],
  ];
  const sections = ballots.flatMap(([, ballot]) => toSections(ballot.material));
  const mark = drawMark(panel.randomBytes, sections);
  const votes = await castVotes(
    panel,
    calls,
    ballots.flatMap(([, ballot]) => Array<Ballot>(VOTES_PER_PASS).fill(ballot)),
    { purpose: "review", mark, signal: options.signal },
  );
  await calls.requireAnswers(votes, model);
  const passes = ballots.map(
    ([name], index): Pass => ({
      name,
      votes: votes.slice(index * VOTES_PER_PASS, (index + 1) * VOTES_PER_PASS),
    }),
  );

  const getRecordedMet = (id: string): Met =>
    recorded.findings.find((finding) => finding.id === id)?.met ??
    // A judge without these criteria recorded no such finding: derive it from the verdict.
    (recorded.verdict === "SUCCESS" ? "yes" : "cannot_verify");
  const counted = passes.map(({ votes }) => ({ votes: addCodeFindings(votes, decided) }));
  const weighed = weighReview(criteria, { verdict: recorded.verdict, getRecordedMet }, counted);
  const reviewFacts: ReviewFacts = {
    recorded: recorded.verdict,
    ...weighed,
    musts: criteria
      .filter(({ kind }) => kind === "must")
      .map((criterion) => ({
        criterion,
        recorded: getRecordedMet(criterion.id),
        passes: counted.map(({ votes }) => decideByMajority(countVotes(votes, criterion.id))),
      })),
    refused: votes.filter(({ outcome }) => outcome !== "answer").length,
    votes: votes.length,
  };
  const evidence = [input.contractor, input.requester].flatMap((brief) => brief?.evidence ?? []);
  // Only the parties may read the criteria of an agreement.
  const explanation = input.agreed
    ? ({ ok: false } as const)
    : await explainInWorker.for(options.queueKey)(reviewFacts, [
        task,
        input.deliverable.text,
        ...evidence,
      ]);
  return {
    judge: { kind: "llm", id: calls.resolve(model) },
    version: REVIEW_VERSION,
    finalVerdict: weighed.finalVerdict,
    assessed: weighed.assessed,
    // Omits the words of criteria if the texts cannot be searched within the limits.
    explanation: explanation.ok ? explanation.value : writeReviewExplanation(reviewFacts, null),
    detail: {
      version: REVIEW_VERSION,
      rubric: criteria,
      checks: facts,
      ...weighed,
      passes,
      calls: [...calls.list],
    },
  };
}

/** Returns the earlier findings, with their own texts if they do not belong to `rubric`. */
function listEarlierFindings({ recorded }: ReviewInput, rubric: readonly Criterion[]) {
  return recorded.findings.map(({ id, text, met, note = "" }) => ({
    criterion: rubric.find((criterion) => criterion.id === id)?.text ?? text,
    met,
    finding: note,
  }));
}
