/** What a question asks to be done with figures. */
export const OPERATIONS = [
  "percent-change",
  "growth-rate",
  "point-change",
  "share",
  "ratio",
  "difference",
  "average",
  "sum",
  "value",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Words that ask for each operation, most specific first. */
const WORDING: [Operation, RegExp][] = [
  ["growth-rate", /\b(?:compound(?:ed)? (?:annual |average )*growth(?: rate)?|cagr)\b/i],
  [
    "point-change",
    /\b(?:change|difference|increase|decrease|decline|rise|fall|drop)s? in (?:percentage|basis) points?|\b(?:percentage|basis)[- ]points? (?:change|difference|increase|decrease)|\bhow many (?:percentage|basis) points\b/i,
  ],
  [
    "percent-change",
    /\b(?:percent(?:age|ual)?|%|relative|proportional)[- ]+(?:of\s+)?(?:the\s+)?(?:change|increase|decrease|growth|decline|reduction|rise|drop|gain|fall|improvement|variation)\b|\b(?:change|increase|decrease|growth|decline|reduction|rise|drop)s? (?:in|as an?) (?:percent(?:age)?|%)|\bgrowth rate\b|\brate of (?:change|growth|increase|decrease|decline)\b|\b(?:year[- ]over[- ]year|yoy|y\/y) (?:growth|change|increase|decrease)\b|\b(?:by )?(?:what|how many|which) (?:percent(?:age)?|%)(?= (?:did|has|have|does)\b)(?=[^?]{0,200}\b(?:change|increase|decrease|grow|decline|rise|drop|fall|shrink|fell|improve)d?\b)|\bin (?:percent(?:age)?|%) terms[^?]{0,80}(?:change|increase|decrease|grow)|\bpercent(?:age)? (?:did|has|have) [^?]{1,100} (?:change|increase|decrease|grow|decline|rise|drop|fall)d?\b|\b(?:changed?|increased?|decreased?|grow|grew|grown|declined?|rise|rose|drop|dropped|fall|fell|shrink)\b(?=[^?]{0,160}\b(?:in|as a) (?:percent(?:age)?s?|%)(?! of))|\bpercent(?:age)? (?:higher|lower|more|less|greater)\b/i,
  ],
  [
    "share",
    /\b(?:what|which|how much|how large an?|calculate|compute|determine|find|give)\b[^?]{0,20}\b(?:percent(?:age)?|portion|share|fraction|proportion|%)(?: \([^)]{0,12}\))?[^?]{0,12}\bof\b|\bas an? (?:percent(?:age)?|share|proportion|fraction|portion|%) of\b|\b(?:percent(?:age)?|share|proportion|fraction|portion) of\b/i,
  ],
  ["ratio", /\bratio\b|\bhow many times\b|\bdivided by\b/i],
  ["average", /\b(?:average|mean)\b/i],
  [
    "difference",
    /\b(?:net |absolute |dollar |total )?(?:difference|change|increase|decrease|decline|growth|rise|drop|reduction|fall)\b|\bhow much (?:more|less|higher|lower|greater|larger|smaller|bigger)\b|\b(?:by )?how (?:much|many)\b[^?]{0,120}\b(?:increase|decrease|grow|decline|rise|drop|fall|change|improve)d?\b|\b(?:exceed|higher than|lower than|greater than|more than|less than)s?\b/i,
  ],
  [
    "sum",
    /\b(?:sum|combined|altogether|in aggregate|aggregate|cumulative(?:ly)?|together|in total|overall total|grand total|total)\b/i,
  ],
];

/** Returns every operation that the words of a question could ask for. */
export const listOperations = (text: string): Operation[] =>
  WORDING.filter(([, pattern]) => pattern.test(text)).map(([operation]) => operation);

export interface Question {
  text: string;
  operation: Operation;
}

const NOT_A_FIGURE =
  /\b(?:what (?:drove|drives|caused|led|explains?)|why|who|explain|describe|discuss|which (?:year|quarter|month|segment|company|region|category|of)|when|where|list|name)\b/i;
const ASKS_WHICH =
  /(?:^|[,:] |\b(?:in|for|of|at) )which (?!(?:percent|amount|figure|number|value|share|portion|proportion|fraction|ratio))/i;
const LABEL = /^\W{0,4}(?:question|query|q|task|prompt|problem)\s?\d{0,2}\W{0,3}[:.)-]\W{0,3}/i;
const IMPERATIVE =
  /^(?:please\s+)?(?:calculate|compute|determine|find|work out|derive|state|give|report|tell)\b/i;
const INTERROGATIVE = /\b(?:what|how|by how|which)\b/i;
/** An answer that a dialogue or an example already gives. */
const ANSWERED =
  /(?:^\W{0,4}|[?.]\s{1,3})(?:a\s?\d{1,2}\s?\W{0,3}|(?:a|answer|assistant|response)\s?\d{0,2}\W{0,3}:\W{0,3})[-−$€£(]{0,3}\d|\?\s{1,3}[-−$€£(]{0,3}\d[\d.,]{0,15}[%)]{0,2}\.?\s*$/i;
/** Words that refer to an earlier turn. */
const REFERS =
  /\b(?:that|this|these|those|it|its|they|them|their|same|respective|the two|and in|what about|how about|change|difference|sum|total|ratio|average|value|year)\b/i;
const MAX_LENGTH = 500;

/**
 * Returns the questions about figures that a task asks, outside its tables (`isData` by line). Words
 * in `labels` name what is asked about, even if they sound like an operation, as in "total assets".
 */
export function findQuestions(
  task: string,
  isData: (line: number) => boolean,
  labels: readonly string[],
): Question[] {
  const phrases = labels
    .map((label) =>
      label
        .toLowerCase()
        .replace(/\([^)]{0,60}\)|\[[^\]]{0,10}\]/g, "")
        .trim(),
    )
    .filter((label) => /\S\s\S/.test(label))
    .toSorted((a, b) => b.length - a.length);
  const lines = task.split("\n");
  const isDialogue = lines.some(
    (line, index) => !isData(index) && ANSWERED.test(line.slice(0, 2_000)),
  );
  const sentences = lines.flatMap((line, index) =>
    isData(index) ? [] : splitLine(line.slice(-2_000)),
  );
  const asked = sentences.filter(
    (sentence) => sentence.endsWith("?") && INTERROGATIVE.test(sentence),
  );
  const chosen =
    asked.length > 0 ? asked : sentences.filter((sentence) => IMPERATIVE.test(sentence));
  const questions = chosen
    .map((sentence) => classifyQuestion(sentence, phrases))
    .filter((question) => question !== null);
  if (!isDialogue) return questions;
  // The last question of a dialogue is the one to answer; it may refer to the turns before it.
  return questions
    .slice(-1)
    .filter(
      ({ text }) =>
        chosen.at(-1) === text && !REFERS.test(text.replace(/\btotal (?=\p{L})/giu, "")),
    );
}

function splitLine(line: string): string[] {
  return line
    .split(/(?<=[.!?:;])\s+(?=[A-Z"“]|what\b|how\b|in\b|for\b|by\b|as\b|considering\b)/)
    .map((sentence) =>
      sentence
        .replace(/^[\s>#*_-]+|[\s*_"”]+$/g, "")
        .replace(LABEL, "")
        .replace(/\s{0,3}\?\s{0,3}(?:\([^()]{1,60}\)\.?)?$/, "?"),
    )
    .filter((sentence) => sentence.length > 8 && sentence.length <= MAX_LENGTH);
}

/** Returns null if the sentence does not ask for a figure. */
function classifyQuestion(sentence: string, phrases: readonly string[]): Question | null {
  if (NOT_A_FIGURE.test(sentence) || ASKS_WHICH.test(sentence)) return null;
  const bare = phrases.reduce(
    (text, phrase) => text.replaceAll(phrase, "…"),
    sentence.toLowerCase(),
  );
  const operation = WORDING.find(([, pattern]) => pattern.test(bare))?.[0];
  if (operation) return { text: sentence, operation };
  const isAsked = /\b(?:what|how (?:much|many|large|high|big))\b/i.test(bare);
  return isAsked || IMPERATIVE.test(bare) ? { text: sentence, operation: "value" } : null;
}
