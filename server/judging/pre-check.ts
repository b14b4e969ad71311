import type { Verdict } from "@/server/lib/schema";
import { isBlank } from "./canonicalise";
import { UNDECIDED_PPM } from "./checks/confidence";
import type { Finding, JudgeInput, Judgement, Review, ReviewInput } from "./judge";

/** Named before the check was; stored with judgements. */
const PRE_CHECK_ID = "gate/v3";
const BY_RULE = "Decided by rule, without a judge.";

const NO_WEIGHT = "This verdict has no weight in a score.";

/** Certain: only an empty deliverable needs no reading. */
const EMPTY_PPM = 1_000_000;

/**
 * Decides cases that need no judge because there is no text. Any visible text goes to the judge,
 * however short, since a short answer may be the right one. Expects canonical texts. Returns null
 * if a judge has to decide.
 */
export function applyPreCheck({ deliverable }: JudgeInput): Judgement | null {
  if (deliverable.kind === "unfetchable") {
    // A URL that does not respond to this service may have responded to the requester.
    const text = `The deliverable could not be fetched from its URL. ${deliverable.reason}`;
    return decide("unfetchable", text, UNDECIDED_PPM, NO_WEIGHT);
  }
  if (deliverable.kind === "unchecked") return createUncheckedJudgement(deliverable.reason);
  if (deliverable.kind === "missing" || isBlank(deliverable.text)) {
    const text = "The deliverable is empty.";
    return decide("empty", text, EMPTY_PPM, BY_RULE);
  }
  return null;
}

/**
 * Returns the judgement of a deliverable that could not be read: a document that is not text, or
 * texts that exceed the limits on time and memory. It is evidence of neither failure nor success,
 * so it has no weight in a score.
 */
export function createUncheckedJudgement(reason: string): Judgement {
  const text = `The deliverable was not checked. ${reason}`;
  return decide("unchecked", text, UNDECIDED_PPM, NO_WEIGHT);
}

/**
 * Returns the judgement of an outcome that a fault of the service kept from being judged: `verdict`
 * without weight.
 */
export function createUnassessedJudgement(verdict: Verdict): Judgement {
  const text = "The work was not assessed because of a fault of the service.";
  return { ...decide("unassessed", text, UNDECIDED_PPM, NO_WEIGHT), verdict };
}

/** `text` is public: it has no words of the parties. */
function decide(id: string, text: string, confidencePpm: number, remark: string): Judgement {
  const met = confidencePpm === EMPTY_PPM ? "no" : "unclear";
  const finding: Finding = { id, text, met, shown: { text, note: null } };
  return {
    judge: { kind: "gate", id: PRE_CHECK_ID },
    verdict: "FAILURE",
    confidencePpm,
    reasoning: `${text} ${remark}`,
    detail: { version: PRE_CHECK_ID, findings: [finding], hashes: {} },
  };
}

/**
 * Returns the review of texts that could not be read. It upholds the verdict without assessing it.
 */
export function upholdUnchecked({ recorded }: ReviewInput, reason: string): Review {
  const { judge, detail } = createUncheckedJudgement(reason);
  return {
    judge,
    version: detail.version,
    finalVerdict: recorded.verdict,
    assessed: false,
    explanation: `The case was not checked. ${reason} The recorded verdict, ${recorded.verdict.toLowerCase()}, is upheld.`,
    detail: { ...detail },
  };
}
