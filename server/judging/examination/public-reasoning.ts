import type { Finding, JudgementDetail } from "@/server/judging/judge";
import type { Demand, Flag, Met, StoredExamination } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import { getVerdict } from "./decide";
import { indexPrivateTexts, type PrivateTextIndex } from "./private-text-index";
import { describeWithheld, numberRepeats } from "./withheld-demand";

const MET_TEXTS: Record<Met, string> = { yes: "met", no: "not met", unclear: "unclear" };

const FLAG_TEXTS: Record<Flag, string> = {
  manipulation: "The work addresses its examiner. This decides nothing.",
  "hidden-characters": "Invisible characters were removed.",
  "not-normalised":
    "Unicode normalisation was not applied, since it would have multiplied the length of the text.",
};

interface ExaminedFacts {
  /** Only the parties may read the criteria of an agreement. */
  isAgreed: boolean;
  demands: readonly Demand[];
  /** Of the examination that stands for the verdict. */
  reasoning: string;
  examinations: readonly StoredExamination[];
}

export interface ReasoningFacts
  extends ExaminedFacts,
    Pick<JudgementDetail, "flags" | "shortened"> {
  verdict: Verdict;
  /** Whether the verdict has weight in a score. */
  isAssessed: boolean;
  /** Whether one of two models was down, so that the other examined twice. */
  isReplaced: boolean;
}

/**
 * Returns the public reasoning, and the demands as findings with their public words: the verdict, each
 * demand with one sentence, who examined, and anything unusual. It quotes neither task nor deliverable:
 * what a model wrote is replaced or omitted if it repeats a run, figure or identifier of these, and all
 * of it if `privateTexts` is null, because they could not be searched. Pure; may be slow for long texts.
 */
export function writeReasoning(
  facts: ReasoningFacts,
  privateTexts: readonly string[] | null,
): { reasoning: string; findings: Finding[] } {
  const { verdict, isAssessed, isAgreed, demands, shortened, flags = [] } = facts;
  const index = indexPrivateTexts(isAgreed ? null : privateTexts);
  const findings = toFindings(demands, index);
  const label = isAssessed ? verdict : `Not assessed (${verdict} without weight)`;
  const remarks = flags.map((flag) => FLAG_TEXTS[flag]);
  if (facts.isReplaced) {
    remarks.push(
      "One of the two models did not respond, so the other one examined twice. A success then has no weight.",
    );
  }
  if (!isAssessed && verdict === "SUCCESS" && !facts.isReplaced) {
    remarks.push("A success has weight only if both models find it.");
  }
  if (shortened) {
    const [shown, of] = [shortened.shown, shortened.of].map((n) => n.toLocaleString("en-US"));
    remarks.push(`The deliverable is long: ${shown} of its ${of} characters were examined.`);
  }
  const reasoning = [
    `${label}.${describeWhole(facts.reasoning, index)}`,
    ...(isAgreed ? [] : describeFindings(findings)),
    describeExaminations(facts.examinations),
    ...remarks,
  ].join("\n");
  return { reasoning, findings };
}

/** Returns the demands with their public words; no words are public if `index` is null. */
export function toFindings(demands: readonly Demand[], index: PrivateTextIndex | null): Finding[] {
  return demands.map(({ demand, met, why, quote }, at) => ({
    id: `d${at + 1}`,
    text: demand,
    met,
    note: why,
    quote,
    shown: {
      text: !index || index.isQuotedIn(demand) ? null : demand,
      note: !index || why === "" || index.isRevealedIn(why) ? null : why,
    },
  }));
}

const describeWhole = (reasoning: string, index: PrivateTextIndex): string =>
  reasoning === "" || index.isRevealedIn(reasoning) ? "" : ` ${reasoning}`;

function describeFindings(findings: readonly Finding[]): string[] {
  const names = numberRepeats(
    findings.map((finding) => finding.shown.text ?? describeWithheld(finding)),
  );
  return findings.map(({ met, shown }, at) =>
    [
      `${names[at]?.replace(/[.:\s]+$/, "")}: ${MET_TEXTS[met]}.`,
      ...(shown.note ? [shown.note] : []),
    ].join(" "),
  );
}

/** Returns who examined, and what each found. */
function describeExaminations(examinations: readonly StoredExamination[]): string {
  const results = examinations.map((examination) => {
    const verdict = getVerdict(examination);
    const model = examination.call.returnedModel ?? examination.call.requestedModel;
    if (examination.outcome !== "answer") return `${model} gave no usable answer`;
    return verdict ? `${model} found ${verdict}` : `${model} could not tell`;
  });
  return `Examined ${examinations.length} times: ${results.join("; ")}.`;
}

export interface ReviewFacts extends ExaminedFacts {
  recorded: Verdict;
  finalVerdict: Verdict;
}

/**
 * Returns the public explanation of a review. Like `writeReasoning`, it quotes neither task,
 * deliverable nor documents. Pure; may be slow for long texts.
 */
export function writeReviewExplanation(
  { recorded, finalVerdict, isAgreed, demands, reasoning, examinations }: ReviewFacts,
  privateTexts: readonly string[] | null,
): string {
  const index = indexPrivateTexts(isAgreed ? null : privateTexts);
  const before = recorded.toLowerCase();
  const isConfirmed = examinations.every((each) => getVerdict(each) === recorded);
  const result =
    finalVerdict === recorded
      ? `The recorded verdict, ${before}, is upheld: ${isConfirmed ? "every examination confirms it" : "not every examination contradicts it"}.`
      : `The recorded verdict, ${before}, is overturned: every examination contradicts it.`;
  return [
    `${result}${describeWhole(reasoning, index)}`,
    ...(isAgreed ? [] : describeFindings(toFindings(demands, index))),
    `${describeExaminations(examinations)} Both sides' statements and documents were shown, in either order, without the recorded verdict.`,
  ].join("\n");
}
