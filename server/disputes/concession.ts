import type { DisputeParty } from "@/server/judging/judge";

const I = "(?:i|we)(?:,? the (?:contractor|requester|client)s?,?)?";
const FIRMLY = "(?:(?:hereby|fully|now|explicitly|freely) )?";
/** Excludes words such as "report" or "answer", which could refer to the speaker's own evidence. */
const WORK = "(?:the|this|that) (?:work|deliverable|delivery)";
const JOB = "(?:the|this|that) (?:work|deliverable|delivery|task|job)";
const VERDICT = "(?:the|this|that) (?:recorded )?(?:verdict|judgement|judgment|decision)";
const AS_AGREED = "as (?:we |i )?(?:asked|agreed|requested|ordered|specified|required|described)";
const OPENING =
  "(?:(?:yes|sorry|on reflection|on review|after review|after another look|after a second look|having looked again|having read it again),? )?";

/** Forms that either party can use when the recorded verdict favors it. */
const EITHER = [
  `${I} ${FIRMLY}concede(?: (?:the|this) (?:dispute|case)| to the (?:contractor|requester|other party))?`,
  `${VERDICT} (?:is|was) (?:wrong|incorrect|mistaken|a mistake|an error)`,
  `${VERDICT} (?:should|must) be (?:overturned|reversed|corrected)`,
];

const BY_REQUESTER = [
  "the contractor (?:is|was) (?:right|correct)",
  `${JOB} (?:was|is|has been) (?:delivered|done|completed|carried out|finished) (?:${AS_AGREED}|correctly|properly|in full)`,
  `${WORK} (?:is|was) (?:correct|acceptable|complete|what (?:i|we) (?:had )?asked for|what was (?:asked for|agreed|requested)|${AS_AGREED})`,
  `${WORK} (?:meets|met|fulfils|fulfills|satisfies|satisfied) (?:the task|the requirements|our requirements|my requirements|what was asked for|what (?:i|we) asked for)`,
  `the contractor (?:has )?(?:delivered|did|completed) (?:${JOB}|the work ${AS_AGREED}|what was (?:asked for|agreed|requested)|what (?:i|we) asked for|everything ${AS_AGREED}|${AS_AGREED})`,
];
const BY_CONTRACTOR = [
  "the (?:requester|client) (?:is|was) (?:right|correct)",
  `${WORK} (?:was|is) (?:incomplete|incorrect|wrong|not (?:delivered|done|completed|finished)(?: ${AS_AGREED})?|not what was (?:asked for|agreed|requested)|not ${AS_AGREED})`,
  `${WORK} (?:does not|did not|doesn't|didn't) (?:meet|fulfil|fulfill|satisfy) (?:the task|the requirements|what was asked for)`,
  `${I} (?:did not|didn't) (?:deliver|do|complete|finish) (?:${JOB}|what was (?:asked for|agreed|requested)|${AS_AGREED})`,
];

/** Builds the pattern of a conceding sentence. `clauses` may follow "I agree that". */
const buildForm = (clauses: string[], statements: string[]) => {
  const admission = `(?:${I} ${FIRMLY}(?:agree|admit|acknowledge|accept|confirm|concede)(?: that)? )?(?:${[...EITHER, ...clauses].join("|")})`;
  const sentence = `(?:${[admission, ...statements].join("|")})`;
  return new RegExp(`^${OPENING}${sentence}(?:(?:,? and|,|;) ${sentence})*$`);
};
const FORMS: Record<DisputeParty, RegExp> = {
  requester: buildForm(BY_REQUESTER, [
    `${I} ${FIRMLY}accept ${WORK}(?: as (?:delivered|it is|it was delivered)| in full)?`,
    `${I} (?:am|are) satisfied with ${WORK}`,
    `${I} ${FIRMLY}agree with the contractor`,
    `${I} ${FIRMLY}withdraw (?:my|our) objections? to ${WORK}`,
  ]),
  contractor: buildForm(BY_CONTRACTOR, [`${I} ${FIRMLY}agree with the (?:requester|client)`]),
};

/**
 * Signs that a statement quotes, jokes, qualifies or retracts. Such a statement concedes nothing.
 */
const DOUBTFUL = [
  /["“”„«»`<>]|(?<![\p{L}])['‘’]|['‘’](?![\p{L}])/u,
  /\p{Extended_Pictographic}|\.\.\.|…|[:;]-?[)(PpDd]|\/s\b|\?/u,
  /\b(?:but|however|although|though|except|unless|if|would|could|might|may|provided|nevertheless|nonetheless|yet|only|until|once|when|suppose|assuming|hypothetical\w*)\b/,
  /\b(?:say|says|said|saying|write|writes|wrote|written|writing|told|tells?|claims?|claimed|quot\w*|following|pretend\w*|instruct\w*|example|template|ignore)\b/,
  /\b(?:bravo|congratulations|masterpiece|genius|brilliant|wonderful|jok\w*|kidding|sarcas\w*|iron\w*|sure|obviously|clearly not|yeah|lol|haha\w*|not really|as if|just not|hardly)\b/,
  /\b(?:disagree|reject|refuse|deny|never)\b|(?:\bnot|n't|\bcannot) (?:\p{L}+ )?(?:concede|agree|accept|admit|acknowledge|right|wrong|correct|true)\b/u,
  /\b(?:verdict|judge?ment|decision) (?:is|was) (?:right|correct|fair|just)\b|\b(?:uphold|upheld|stands?)\b/,
];

/**
 * Returns whether `statement` explicitly concedes the dispute to the other party. Expects a
 * canonical text. At least one sentence must match one of the plain English forms above in full; a
 * negation, condition, quotation or remark inside it breaks the match. A missed concession does no
 * harm: the review then decides as usual.
 */
export function isConcession(speaker: DisputeParty, statement: string): boolean {
  const text = statement.toLowerCase().replaceAll("’", "'");
  if (DOUBTFUL.some((sign) => sign.test(text))) return false;
  // A colon introduces the next line, so both lines form one sentence.
  return text
    .replace(/:\s*\n\s*/g, ": ")
    .split(/\n+|(?<=[.!])\s+/)
    .map((sentence) =>
      sentence
        .replace(/[.!]?\s*$/, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .some((sentence) => FORMS[speaker].test(sentence));
}
