import type { Finding, JudgementDetail } from "@/server/judging/judge";
import type { Criterion, Escalation, Flag, Met, StoredVote } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import { indexPrivateTexts, type PrivateTextIndex } from "./private-text-index";
import { describeWithheld, numberRepeats } from "./withheld-criterion";

const MET_TEXTS: Record<Met, string> = {
  yes: "met",
  no: "not met",
  partial: "met in part",
  cannot_verify: "not verified",
};

/** Omits the outcome's value, which stays private even when it is a reason. */
const REASON_TEXTS: Partial<Record<Escalation["reasons"][number], string>> = {
  dissent: "the first votes disagreed on a required criterion",
  "unverified-must": "a required criterion could not be verified",
  flag: "the texts or the answers raised a flag",
  "control-met": "a vote accepted a criterion on another subject",
  "no-answer": "a vote went unanswered",
};

const FLAG_TEXTS: Record<Flag, string> = {
  "injection-suspected": "A vote suspected text that tries to influence the judge.",
  "injection-detected": "Some of the text is encoded.",
  "canary-lost": "A vote did not follow the required form and was discarded.",
  confusables: "Some words mix letters of different scripts that look alike.",
  "hidden-characters": "Invisible characters were removed.",
  "not-normalised":
    "Unicode normalisation was not applied, since it would have multiplied the length of the text.",
};

export interface ReasoningFacts
  extends Pick<JudgementDetail, "flags" | "escalation" | "shortened"> {
  verdict: Verdict;
  /** Whether the verdict has weight in a score. */
  isAssessed: boolean;
  findings: readonly Finding[];
  outcomes: readonly StoredVote["outcome"][];
  /** Whether votes without an answer decide the verdict. */
  isUndecided: boolean;
  /** Whether the category's criteria were used, because the model wrote none for the task. */
  isGuideRubric: boolean;
  /** Whether one of two models was down or returned nothing usable, so that the other took its place. */
  isModelReplaced: boolean;
}

/**
 * Returns the public reasoning: the verdict, each criterion with its votes, and anything unusual.
 * It quotes neither task nor deliverable. Replaces or omits words of the model that repeat a run,
 * figure or identifier of these, and all its words if `privateTexts` is null, because they could not be
 * searched. Pure; may be slow for long texts.
 */
export function writeReasoning(
  facts: ReasoningFacts,
  privateTexts: readonly string[] | null,
): string {
  const index = indexPrivateTexts(privateTexts);
  const names = nameCriteria(facts.findings, index);
  return [
    `${describeVerdict(facts)} ${describeVotes(facts)}`,
    ...facts.findings.map((finding, at) => describeFinding(finding, names[at] ?? "", index)),
    ...listRemarks(facts),
  ].join("\n");
}

function describeVerdict({ verdict, isAssessed, findings }: ReasoningFacts): string {
  const musts = findings.filter(({ kind }) => kind === "must");
  const met = musts.filter((finding) => finding.met === "yes").length;
  const label = isAssessed ? verdict : `Not assessed (${verdict} without weight)`;
  return `${label}: ${met} of ${musts.length} required criteria ${met === 1 ? "is" : "are"} met.`;
}

function describeVotes({ outcomes, escalation }: ReasoningFacts): string {
  const all = outcomes.length === 1 ? "One vote was cast" : `${outcomes.length} votes were cast`;
  if (!escalation) return `${all}.`;
  const reasons = escalation.reasons.flatMap((reason) => REASON_TEXTS[reason] ?? []);
  const why = reasons.length > 0 ? `; it was requested because ${reasons.join(" and ")}` : "";
  return `${all} in two rounds, the second of which decides${why}.`;
}

function describeFinding(finding: Finding, name: string, index: PrivateTextIndex): string {
  const { note = "", kind, met, votes } = finding;
  const required = kind === "must" ? "required" : "desirable";
  // Without votes, code decided; what a check observed is public.
  if (!votes) return `${name} (${required}): ${MET_TEXTS[met]}, checked by code: ${note}.`;
  const share = `, ${describeShare(votes, met)}`;
  const remark = note === "" || index.isRevealedIn(note) ? "" : ` ${note}`;
  return `${name} (${required}): ${MET_TEXTS[met]}${share}.${remark}`;
}

function describeShare(votes: Record<Met, number>, met: Met): string {
  const all = votes.yes + votes.no + votes.partial + votes.cannot_verify;
  return votes[met] === all ? `all ${all} votes` : `${votes[met]} of ${all} votes`;
}

function listRemarks({
  outcomes,
  isUndecided,
  isGuideRubric,
  isModelReplaced,
  shortened,
  flags = [],
}: ReasoningFacts): string[] {
  const unusable = outcomes.filter((outcome) => outcome !== "answer").length;
  const lines: string[] = [];
  if (isGuideRubric) {
    lines.push("The model wrote no criteria for this task, so those of its category were applied.");
  }
  if (isModelReplaced) {
    lines.push("One of the two models was unavailable, so the other one took its place.");
  }
  if (unusable > 0) lines.push(describeUnusable(unusable, outcomes.length));
  if (isUndecided) {
    lines.push("Those votes decide the verdict, so it has the lowest possible confidence.");
  }
  if (shortened) {
    const [shown, of] = [shortened.shown, shortened.of].map((n) => n.toLocaleString("en-US"));
    lines.push(`The deliverable is long: ${shown} of its ${of} characters were examined.`);
  }
  if (flags.length > 0) {
    lines.push(
      `${flags.map((flag) => FLAG_TEXTS[flag]).join(" ")} This did not decide the verdict, but a success then has weight only if a second round of votes is unanimous.`,
    );
  }
  return lines;
}

export interface ReviewFacts {
  recorded: Verdict;
  finalVerdict: Verdict;
  flipped: readonly string[];
  /** Each must with the recorded finding and the finding of each pass. */
  musts: readonly { criterion: Criterion; recorded: Met; passes: readonly Met[] }[];
  refused: number;
  votes: number;
}

/**
 * Returns the public explanation of a review. It quotes neither task, deliverable nor documents,
 * and replaces the words of criteria if `privateTexts` is null. Pure; may be slow for long texts.
 */
export function writeReviewExplanation(
  { recorded, finalVerdict, flipped, musts, refused, votes }: ReviewFacts,
  privateTexts: readonly string[] | null,
): string {
  const index = indexPrivateTexts(privateTexts);
  const isUpheld = finalVerdict === recorded;
  const lines = [
    isUpheld
      ? `The recorded verdict, ${recorded.toLowerCase()}, is upheld: the passes do not all contradict it on the same required criterion with a verified quotation.`
      : `The recorded verdict, ${recorded.toLowerCase()}, is overturned: every pass results in ${finalVerdict.toLowerCase()}.`,
    "The work was examined again in three passes: with the parties' documents but without their statements and the earlier findings; with everything, contractor first; and with everything, client first.",
  ];
  const names = nameCriteria(
    musts.map(({ criterion }) => criterion),
    index,
  );
  for (const [at, { criterion, recorded: before, passes }] of musts.entries()) {
    const found = passes.map((met) => MET_TEXTS[met]).join(", ");
    const remark =
      !isUpheld && flipped.includes(criterion.id) ? " This criterion overturned the verdict." : "";
    lines.push(`${names[at]}: recorded as ${MET_TEXTS[before]}; found now: ${found}.${remark}`);
  }
  if (refused > 0) lines.push(describeUnusable(refused, votes));
  return lines.join("\n");
}

/** Returns the text of each criterion, or words of ours if it repeats private ones. */
function nameCriteria(
  criteria: readonly Pick<Finding, "text" | "kind">[],
  index: PrivateTextIndex,
): string[] {
  return numberRepeats(
    criteria.map((criterion) =>
      index.isQuotedIn(criterion.text)
        ? describeWithheld(criterion)
        : criterion.text.replace(/[.:\s]+$/, ""),
    ),
  );
}

function describeUnusable(unusable: number, cast: number): string {
  return `The model gave no usable answer in ${unusable} of ${cast} votes; those votes verify nothing.`;
}
