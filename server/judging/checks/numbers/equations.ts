import {
  compareSides,
  type GetMaxError,
  isOdd,
  type Place,
  parseExpression,
  type Side,
  selectOperands,
  type Token,
} from "./expression";
import { type Exact, type Figure, readFigures } from "./figures";
import { MAY_STATE_RESULT, splitClauses, splitSides, tokenise } from "./tokens";

/** A calculation that a text shows together with its result. */
export interface Equation {
  isRight: boolean;
  /** Value of the side that is computed; a percentage is a fraction of one. */
  computed: Exact;
  /** Offsets in the text. */
  from: number;
  to: number;
}

// cspell:ignore nicht statt falsch etwa rund
/** Sentences that show a calculation as a mistake, or in another kind of arithmetic. */
const NOT_CLAIMED =
  /\b(?:not|isn't|wrong(?:ly)?|incorrect(?:ly)?|mistakes?|mistaken(?:ly)?|errors?|instead|falsely|myth|would be|claims?|claimed|typo|slip|binary|hex|hexadecimal|octal|modulo|mod|base \d+|integer division|scale|map|rounded (?:down|up)|floor(?:ed)?|ceil(?:ing)?|remainder|nicht|statt|falsch)\b|≠|!=|\d\s*%\s*\d+\s*=/i;
const ROUGHLY =
  /\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.|nearly|almost|some|etwa|rund)\s*$/i;
const FENCE = /^[ \t]*(?:```|~~~)[ \t]*[a-z][\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|$(?![\s\S]))/gim;
const LINK = /\bhttps?:\/\/[^\s)\]]+/g;
/** "10⁻³" in canonical text. */
const NEGATIVE_POWER = /(?<!\d)10[-−]\d/;
/** Amounts of tables may be in thousands or millions, those of sentences in full. */
const IN_THOUSANDS =
  /\b(?:thousands?|millions?|billions?|mn|bn|mm|mio)\b|['’]000|[$€£]\s?[mk]\b|\d\s?[mMkKbB]\b/;
const SCALES = [1, 1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9];
const MAX_TOKENS = 60;
const MAX_CLAUSES = 500;
/** Wrong calculations cost the most time, and a few are enough. */
const MAX_WRONG = 20;
/** A figure that the text states as its own result may be rounded; any other is as good as exact. */
const MAX_ERROR = 0.03;
const STATED_AS_RESULT =
  /(?:[=≈→]|\b(?:about|around|roughly|approximately|nearly|almost|is|was|of|to|by|at))[\s*$€£\\(]{0,4}[-−]?$/i;

interface Context {
  text: string;
  getMaxError: GetMaxError;
  isInThousands: boolean;
}

/** Recomputes the calculations in a text. Figures that the task states count as exact. */
export function findEquations(text: string, task: string): Equation[] {
  const blank = (part: string) => part.replace(/[^\n]/g, " ");
  const prose = text.replace(FENCE, blank).replace(LINK, blank);
  if (!MAY_STATE_RESULT.test(prose)) return [];
  const clauses = splitClauses(tokenise(prose)).slice(0, MAX_CLAUSES);
  if (clauses.length === 0) return [];
  const context = {
    text: prose,
    getMaxError: createMaxError(prose, task),
    isInThousands: IN_THOUSANDS.test(prose) || IN_THOUSANDS.test(task),
  };
  const equations: Equation[] = [];
  for (const clause of clauses) {
    equations.push(...findInClause(clause, context));
    if (equations.filter(({ isRight }) => !isRight).length >= MAX_WRONG) break;
  }
  return equations;
}

function createMaxError(text: string, task: string): GetMaxError {
  const given = new Set(readFigures(task).flatMap(listKeys));
  const results = new Set(
    readFigures(text)
      .filter(({ from }) => STATED_AS_RESULT.test(text.slice(Math.max(0, from - 20), from)))
      .map(toKey),
  );
  return (figure) => {
    const key = toKey(figure);
    if (given.has(key)) return 0;
    if (results.has(key)) return Number.POSITIVE_INFINITY;
    // What counts in a factor such as 1.05 is its distance from 1.
    const isFactor = figure.value.gt(0.5) && figure.value.lt(2) && !figure.isPercent;
    return isFactor ? figure.value.minus(1).abs().mul(MAX_ERROR).toNumber() : MAX_ERROR;
  };
}

const toKey = ({ value, isPercent }: Figure) => `${value.toFixed()}${isPercent ? "%" : ""}`;

/** A percentage is also used as 0.05, 1.05 and 0.95. */
function listKeys(figure: Figure): string[] {
  if (!figure.isPercent) return [toKey(figure)];
  const fraction = figure.value.div(100);
  return [
    toKey(figure),
    ...[fraction, fraction.plus(1), fraction.minus(1).abs()].map((value) => value.toFixed()),
  ];
}

function findInClause(clause: readonly Token[], context: Context): Equation[] {
  const { text } = context;
  if (NOT_CLAIMED.test(readSentence(clause, text))) return [];
  const { sides, isRough } = splitSides(dropBullet(clause, text));
  const read = sides.map((side, index) => {
    const place = index === 0 ? "first" : index === sides.length - 1 ? "last" : "middle";
    return readSide(side, place, context.getMaxError);
  });
  const factors = isScaled(clause, context) ? SCALES : [1];
  const mixes = mixesUnits(clause);
  return read.slice(1).flatMap((right, index): Equation[] => {
    const left = read[index];
    if (!left || !right || !(left.expression.isComputed || right.expression.isComputed)) return [];
    if (isRange(left, text) || NEGATIVE_POWER.test(text.slice(left.from, left.to))) return [];
    const rough =
      Boolean(isRough[index]) || ROUGHLY.test(text.slice(Math.max(0, right.from - 20), right.from));
    const comparison = compareSides(left, right, rough, factors);
    if (!comparison || (mixes && !comparison.isRight)) return [];
    return [{ ...comparison, from: left.from, to: right.to }];
  });
}

/** Returns the sentence around a clause, at most 200 characters before and 40 after its end. */
function readSentence(clause: readonly Token[], text: string): string {
  const start = clause[0]?.from ?? 0;
  const end = clause.at(-1)?.to ?? start;
  const before = text.slice(Math.max(text.lastIndexOf("\n", start) + 1, start - 200), start);
  return (before.split(/[.!?]\s/).at(-1) ?? "") + text.slice(start, end + 40);
}

/** Removes the hyphen of a list item, which is no minus sign. */
function dropBullet(clause: readonly Token[], text: string): readonly Token[] {
  const [first, second] = clause;
  const isBullet =
    first?.kind === "operator" &&
    first.text === "-" &&
    second &&
    first.to < second.from &&
    /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, first.from - 20), first.from));
  return isBullet ? clause.slice(1) : clause;
}

// Parts of a pattern. cspell:ignore kmcd minuten
const UNIT =
  /^(?:(?<unit>[kmcdμnMGT]?(?:Wh|Ah|Hz|bit|bps|[mgtlLWAVJBb])|[KMGT]iB|second|sec|ms|min|minuten?|hour|hr|h|stunden?|day|d|tage?|week|wk|wochen?|month|mo|monate?|quarter|year|yr|jahre?|decade|mile|mi|yard|yd|foot|feet|ft|inch|(?:kilo|centi|milli)?(?:met(?:er|re)|gram|lit(?:er|re))|kilo|ha|acre|gal(?:lon)?|quart|qt|pint|cup|tablespoon|tbsp|teaspoon|tsp|tonne|ton|pound|lb|ounce|oz|k?cal|calorie|(?:kilo|mega|giga|tera)?byte|pair|dozen|thousand|million|billion|cent|pence|penny|pennies|dollar|euro|rpm|mph|kph|kmh)s?|[$€£¢]|hourly|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|annum)$/u;

/** Returns whether a clause has several units, so that its sides may differ by a conversion. */
function mixesUnits(clause: readonly Token[]): boolean {
  const units = clause.flatMap((token) => {
    const match = token.kind === "word" ? UNIT.exec(token.text) : null;
    return match ? (match.groups?.unit ?? match[0]) : [];
  });
  const amounts = new Set(units.filter((unit) => !/^[$€£]$/.test(unit)));
  return amounts.size > 1 || (amounts.has("¢") && units.length > 1);
}

/** Returns whether the amounts of a clause may be in thousands, millions or billions. */
function isScaled(clause: readonly Token[], { isInThousands }: Context): boolean {
  const figures = clause.flatMap((token) => (token.kind === "figure" ? [token.figure] : []));
  return (
    figures.some(({ scale }) => !scale.eq(1)) ||
    (isInThousands && figures.some(({ isMoney }) => isMoney))
  );
}

function readSide(side: readonly Token[], place: Place, getMaxError: GetMaxError): Side | null {
  if (side.length > MAX_TOKENS) return null;
  const starts = place === "first" ? findStarts(side) : [0];
  for (const start of starts) {
    const tokens = selectOperands(side.slice(start), place);
    const expression = tokens && parseExpression(tokens, 0, getMaxError);
    if (!tokens || !expression) continue;
    const used = tokens.slice(0, expression.end);
    const rest = tokens[expression.end];
    if (rest && !(place === "last" && rest.kind === "word")) continue;
    const figures = used.flatMap((token) => (token.kind === "figure" ? [token.figure] : []));
    const [first] = figures;
    if (!first || (figures.length > 1 && figures.every(({ isYear }) => isYear))) return null;
    // A figure after words is a label.
    if (place === "first" && !expression.isComputed && (start > 0 || first.isYear)) return null;
    return {
      tokens: used,
      expression,
      figure: expression.isComputed ? null : first,
      first,
      from: used[0]?.from ?? 0,
      to: used.at(-1)?.to ?? 0,
    };
  }
  return null;
}

const MAX_STARTS = 6;
/** Words that change the calculation after them. */
const CHANGES_VALUE = /^(?:twice|double|triple|thrice|half|third|quarter)$/i;
/** Words that announce a calculation. */
const ANNOUNCES = /^(?:is|are|was|were)$/i;
/** Words after which a figure belongs to what is before them. */
const CONTINUES = /^(?:as|more|fewer|and|to|by|than|or)$/i;

/** Returns the positions at which the calculation of a first side may begin: after its label. */
function findStarts(side: readonly Token[]): number[] {
  return side
    .flatMap((token, index) => {
      const previous = side[index - 1];
      const isStart =
        ["figure", "open", "fraction", "root"].includes(token.kind) ||
        (token.kind === "operator" && /^[+-]$/.test(token.text) && !previous);
      if (!isStart || !previous) return isStart ? [index] : [];
      const label = side.slice(Math.max(0, index - 3), index);
      const isPlain =
        previous.kind === "word" &&
        (ANNOUNCES.test(previous.text) || index === 1 || !isOdd(previous)) &&
        (!CONTINUES.test(previous.text) || !side.slice(0, index).some(isFigure)) &&
        !label.some((word) => word.kind === "word" && CHANGES_VALUE.test(word.text));
      return isPlain ? [index] : [];
    })
    .slice(0, MAX_STARTS);
}

const isFigure = ({ kind }: Token) => kind === "figure";

/** Returns whether a side is a range such as "18-25" or an idiom such as "24/7". */
function isRange({ tokens, from, to }: Side, text: string): boolean {
  const [first, operator, last, more] = tokens;
  if (first?.kind !== "figure" || last?.kind !== "figure" || operator?.kind !== "operator" || more)
    return false;
  const source = text.slice(from, to);
  const isTight = !/\s[-−–]|[-−–]\s/.test(source);
  return (
    source === "24/7" ||
    (operator.text === "-" && isTight && first.figure.value.lt(last.figure.value))
  );
}
