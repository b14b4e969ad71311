import type { Line, Point } from "./data-lines";
import type { DataTable } from "./data-table";
import { readFigures } from "./figures";
import { type Operand, readWords } from "./mentions";
import { isIndexed, isPerUnit } from "./plausible-answers";
import type { Operation, Question } from "./question";
import { listTerms, listYears } from "./terms";
import { listNameTerms } from "./vocabulary";

// Parts of patterns. cspell:ignore assum suppos estimat exclud annuali ebitda

/** What surrounds a question. */
export interface Surroundings {
  tables: readonly DataTable[];
  /** The text around the tables, without the question. */
  prose: string;
}

/**
 * Returns whether the operands are all that a question is about, so that an answer that no reading
 * of them gives is wrong.
 */
export function isUnderstood(
  question: Question,
  operands: readonly Operand[],
  surroundings: Surroundings,
): boolean {
  const { operation, text } = question;
  const isQuotient = isPerUnit(question, operands);
  if (operands.length === 0 || HAS_CONDITION.test(text) || hasOwnFigure(text)) return false;
  if (!isQuotient && operands.length > MAX_OPERANDS[operation]) return false;
  if (isQuotient && operands.some(({ isFull }) => !isFull)) return false;
  const lines = operands.flatMap((operand) => operand.lines);
  // Without the dates of the columns, no figure is known to be of the year in question.
  const isDated = listYears(text).length > 0;
  if (isDated && lines.some(({ points }) => points.length > 1 && points.every(isUndated)))
    return false;
  const isAside = ({ table, isDerived }: Line) => table < 0 && !isDerived;
  const hasTable = surroundings.tables.some(({ to }) => to > 0);
  if (hasTable && operands.some((one) => !one.isFull && one.lines.some(isAside))) return false;
  const isRate = lines.some(({ names }) => names.some(({ label }) => /\bper\b/i.test(label)));
  if (!isQuotient && isRate !== /\bper\b|\b(?:eps|dps)\b/i.test(text)) return false;
  const isShare = operands.some((operand) => operand.lines.every(({ isPercent }) => isPercent));
  if (isShare && MONEY.test(text)) return false;
  const isClear = operands.every(({ isCertain }) => isCertain) || isTotalOfTwo(question, operands);
  return isClear && listUnexplained(question, operands, lines, surroundings).length === 0;
}

const isUndated = ({ year }: Point) => year === null;

/** How many lines a question of each kind can be about. */
const MAX_OPERANDS: Record<Operation, number> = {
  "percent-change": 1,
  "growth-rate": 1,
  "point-change": 2,
  difference: 2,
  share: 2,
  ratio: 2,
  average: 2,
  sum: 3,
  value: 1,
};

/** Conditions and further steps. */
const HAS_CONDITION =
  /\b(?:if|assum\w+|suppos\w+|estimat\w+|project\w+|forecast\w*|predict\w*|hypothetical\w*|exclud\w+|except|without|other than|adjust(?:ed|ing)|annuali[sz]ed|each|every|remaining|after|before|present value|npv|weighted|median|standard deviation|variance|highest|lowest|largest|smallest|maximum|(?<!future )minimum|greatest|least|ranked|beginning(?! and the end)|would|and (?:did|does|was|were|is|are|how|what|by|which|state|show)|outside|non|within|(?:first|next|last|final) (?:two|three|four|five|six|\d{1,2}))\b/i;
const MONEY = /\b(?:millions?|thousands?|billions?|dollars|usd|eur|gbp)\b|[$€£]/i;

/** Days of a year, the start of an index, and the name of an index. */
const CONVENTIONS = [360, 365, 366, 100, 500];

/** Returns whether the question states a figure itself, which then takes part in the calculation. */
const hasOwnFigure = (text: string) =>
  readFigures(text).some(
    ({ isYear, value }) => !isYear && value.gt(31) && !CONVENTIONS.some((one) => value.eq(one)),
  );

/** Returns whether two parts are asked for by what they share: "total deferred revenue". */
function isTotalOfTwo({ operation, text }: Question, operands: readonly Operand[]): boolean {
  const [first, second, ...others] = operands.flatMap(({ lines }) => lines);
  if (operation !== "sum" || operands.length !== 1 || others.length > 0) return false;
  return second !== undefined && first?.table === second.table && /\btotal\b/i.test(text);
}

/** Returns the words of a question that may be about something else than its operands. */
function listUnexplained(
  question: Question,
  operands: readonly Operand[],
  lines: readonly Line[],
  { tables, prose }: Surroundings,
): string[] {
  const used = new Set(operands.flatMap(({ words }) => words));
  const labels = new Set(tables.flatMap(listLabels).flatMap(listNameTerms));
  const starts = new Set([...labels, ...listNameTerms(prose)].map(toStart));
  const explained = new Set([
    ...OPERATION_WORDS,
    ...PLAIN_WORDS,
    ...readDescriptions(prose),
    ...lines.flatMap(({ names }) => names.flatMap(({ terms }) => terms)),
    ...(lines.some(isIndexed) ? ["return"] : []),
  ]);
  // Any further word may change what is looked up or added.
  const isPart = question.operation === "share" && operands.length === 1;
  const isStrict = isPart || ["value", "sum", "average"].includes(question.operation);
  const isDerived = lines.some((line) => line.isDerived);
  return readWords(question.text)
    .filter((_, at) => !used.has(at))
    .map(({ term }) => term)
    .filter((term) => !explained.has(term) && !isCompanyName(term, question.text))
    .filter((term) => {
      // A margin "on services" is not that of all sales.
      if (isDerived)
        return (
          (MEASURE_WORDS.has(term) && !starts.has(toStart(term))) ||
          (labels.has(term) && !UNIT_WORDS.has(term) && !OPERATION_WORDS.has(term))
        );
      // "Operating expenses" are not "operating income".
      if (UNIT_WORDS.has(term)) return labels.has(term) || !operands.every(({ isFull }) => isFull);
      return isStrict || MEASURE_WORDS.has(term) || starts.has(toStart(term));
    });
}

/** Makes "contributions" and "contributed" the same. */
const toStart = (term: string) => term.slice(0, 5);

export const listLabels = ({ rows, columns }: DataTable): string[] => [
  ...rows.flatMap(({ label, section }) => [label, section]),
  ...columns,
];

const IS_CAPTION = /:\s*$|\btable\b|\bfollow(?:s|ing)\b|\breconciliation\b|\bsummary\b/i;
const MAX_SENTENCES = 2_000;

/** Returns the words that captions, or only sentences without figures, use. */
function readDescriptions(prose: string): string[] {
  const sentences = prose.split(/\n|(?<=[.!?;])\s/).slice(0, MAX_SENTENCES);
  const states = (sentence: string) =>
    readFigures(sentence).some(({ isYear, value }) => !isYear && value.gt(31));
  const stated = new Set(sentences.filter(states).flatMap(listTerms));
  return sentences
    .filter((sentence) => !states(sentence))
    .flatMap((sentence) => {
      const terms = listTerms(sentence);
      return IS_CAPTION.test(sentence) ? terms : terms.filter((term) => !stated.has(term));
    });
}

/** Returns whether a word of the question names a company, as in "Acme's" or "Acme Inc". */
function isCompanyName(term: string, question: string): boolean {
  const name = escapePattern(term);
  return new RegExp(
    `\\b${name}(?:\\s[\\p{L}&]{1,20})?(?:s?['’]|\\s(?:inc|corp|corporation|ltd|llc|plc|group|company|holdings)\\b)`,
    "iu",
  ).test(question);
}

const escapePattern = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Words of questions that name operations and directions rather than what they are about. */
const OPERATION_WORDS = new Set(
  `change increase decrease growth grow grew decline reduction rise rose drop fall fell gain difference ratio average mean sum combined aggregate
  portion share fraction proportion rate overall relative compared comparison versus vs experienced approximate approximately
  answer much higher lower more less greater final single basis point points represent represented made make up come came account accounted attributable
  comprised comprise related due relation expressed term first second time cumulative together both across then absolute recognized
  shown seen recorded show whole compare considering entire exact exactly current previous prior one two three four five
  percent percentage cagr calculated computed respective compound`
    .split(/\s+/)
    .map((word) => listTerms(word)[0] ?? word),
);

/** Words that do not say what is asked about. */
const PLAIN_WORDS = new Set(
  "spend spent generate generated earn earned work worked people invest invested mature maturing due pay paid use used sell sold make hold held own have return returned through within end amount say want need know allow allocate please firm usd eur gbp cent segment business group region".split(
    " ",
  ),
);
/** What figures are of; a question may name it although the table leaves it to its reader. */
const UNIT_WORDS = new Set("revenue cost expense balance employee payment income".split(" "));
/** Words for what is computed from other figures, or qualifies them. */
const MEASURE_WORDS = new Set(
  "margin ratio yield turnover coverage multiple return ebitda leverage spread irr npv payback markup premium discount efficiency intensity net gross profit loss tax equity debt cash asset liability".split(
    " ",
  ),
);
