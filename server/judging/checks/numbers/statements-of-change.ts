import type { Equation } from "./equations";
import { Exact, type Figure, readFigures, sum } from "./figures";

/** A pattern in which "§" is a figure, with what its last figure has to be. */
interface Form {
  pattern: RegExp;
  /** Returns every value that the last figure may state; percentages are fractions of one. */
  compute(values: Exact[], figures: readonly Figure[]): Exact[];
  /** Whether only a last figure in percent, of others that are not, makes the statement. */
  isPercent?: boolean;
}

const VERB = "(?:is|are|equals?|was|were|makes|gives|comes to|=|yields)";
const TO =
  "(?:,? which (?:is|represents|means|amounts to)|,? representing|,? meaning|,? or|,? i\\.e\\.,?|:|,? that is|,? this is|,? —|,? –)?";
const IN = "(?: (?:in|for|during|at|on|by) (?:FY|fiscal )?§| \\(§\\))?";

/** Words between two amounts and the relative change between them. */
const CHANGE_WORDS =
  "(?:(?:an|a|the|of|by|up|down|or|which|this|that|it|is|was|represents|representing|corresponds|corresponding|equals|equivalent|means|to|i\\.e\\.|roughly|about|approximately|around|nearly|almost|total|overall|relative|percentage|increase|increased|decrease|decreased|growth|rise|rose|drop|decline|declined|reduction|gain|change|jump|fell|grew)[ ,:]{1,2}){1,10}";
const BETWEEN =
  "(?:,? (?:an|a)? ?(?:increase|decrease|rise|drop|decline|growth|gain|change|difference) of §)?";

const change = ([old, current]: Exact[]): Exact[] => {
  if (!old || !current || old.isZero()) return [];
  const difference = current.minus(old);
  return [difference.div(old), difference, difference.mul(100), difference.div(old).mul(100)];
};

/** "§" is a figure that is no year, "¤" a year. */
const FORMS: Form[] = [
  {
    pattern: new RegExp(
      `\\bfrom §${IN.replaceAll("§", "¤")} to §${IN.replaceAll("§", "¤")}${BETWEEN}(?: \\(|[,;:]? )${CHANGE_WORDS}(§)(?! of\\b)`,
      "gi",
    ),
    compute: ([old, current]) =>
      old && current && !old.isZero() ? [current.minus(old).div(old)] : [],
    isPercent: true,
  },
  {
    pattern: new RegExp(
      `\\bfrom §${IN.replaceAll("§", "¤")} to §${IN.replaceAll("§", "¤")}${TO},? (?:an?|the)? ?(?:overall |total |percentage |relative |net )?(?:increase|decrease|rise|drop|decline|growth|reduction|gain|fall|change) (?:rate )?of (?:about |approximately |roughly |around )?(§)(?= ?(?:[.,;)]|$|percent|per cent))`,
      "gi",
    ),
    compute: change,
  },
  {
    pattern: new RegExp(
      `\\bfrom §${IN.replaceAll("§", "¤")} to §${IN.replaceAll("§", "¤")}${TO},? an? (?:about |approximately |roughly )?(§) (?:increase|decrease|rise|drop|decline|growth|reduction|gain|fall)\\b`,
      "gi",
    ),
    compute: change,
  },
  {
    pattern: /§ of § (?:is|equals|=|are|comes to|gives) (?:about |approximately )?(§)/gi,
    // "3 of 6 is 50%" and "3/4 of 120 is 90" are no products of two figures.
    compute: ([a, b], [first]) => (a && b && (first?.isPercent || !a.isInt()) ? [a.mul(b)] : []),
  },
  {
    pattern: /§ (?:plus) § (?:is|equals|=|are|gives|makes) (§)/gi,
    compute: ([a, b]) => (a && b ? [a.plus(b)] : []),
  },
  {
    pattern: /§ (?:minus|less) § (?:is|equals|=|leaves|gives) (§)/gi,
    compute: ([a, b]) => (a && b ? [a.minus(b)] : []),
  },
  {
    pattern: /§ divided by § (?:is|equals|=|gives) (?:about |approximately )?(§)/gi,
    compute: ([a, b]) => (a && b && !b.isZero() ? [a.div(b), a.div(b).mul(100)] : []),
  },
  {
    pattern: new RegExp(`\\bthe (?:sum|total) of ((?:§,? (?:and )?){1,12})§ ${VERB} (§)`, "gi"),
    compute: (values) => [sum(values)],
  },
  {
    pattern: new RegExp(
      `\\bthe (?:average|mean) of ((?:§,? (?:and )?){1,12})§ ${VERB} (?:about |approximately )?(§)`,
      "gi",
    ),
    compute: (values) => [sum(values).div(values.length)],
  },
  {
    pattern: new RegExp(`\\bthe difference between § and § ${VERB} (§)`, "gi"),
    compute: ([a, b]) => (a && b ? [a.minus(b)] : []),
  },
];

/** Matches every marked text that one of the forms may match. */
const MAY_STATE =
  /\bfrom §|§ (?:of|plus|minus|less|divided by) §|\bthe (?:sum|total|average|mean) of §|\bthe difference between §/i;
const NOT_CLAIMED = /\b(?:not|wrong|incorrect|instead|mistake|error|if|would)\b/i;

/** Recomputes calculations that a text states in words, such as "15% of 200 is 30". */
export function findStatedChanges(text: string): Equation[] {
  const figures = readFigures(text);
  const { marked, at } = mark(text, figures);
  if (!MAY_STATE.test(marked)) return [];
  return FORMS.flatMap(({ pattern, compute, isPercent }) =>
    [...marked.matchAll(pattern)].flatMap((match): Equation[] => {
      const from = match.index;
      const first = at.findIndex((position) => position >= from);
      const count = match[0].match(/[§¤]/g)?.length ?? 0;
      const inside = figures.slice(first, first + count).filter(({ isYear }) => !isYear);
      const result = inside.at(-1);
      if (!result || NOT_CLAIMED.test(marked.slice(Math.max(0, from - 80), from))) return [];
      const operands = inside.slice(0, -1);
      if (isPercent && (!result.isPercent || operands.some((figure) => figure.isPercent)))
        return [];
      const options = compute(operands.map(toPlain), operands);
      const [computed] = options;
      if (!computed) return [];
      const isRight = options.some((option) => isNear(option, result, operands));
      return [{ isRight, computed, from: inside[0]?.from ?? 0, to: result.to }];
    }),
  );
}

const toPlain = ({ value, isPercent }: Figure) => (isPercent ? value.div(100) : value);

/** Allows for the rounding of the result and, through it, of the figures it is computed from. */
function isNear(expected: Exact, result: Figure, operands: readonly Figure[]): boolean {
  const size = expected.abs();
  const rounding = operands.reduce(
    (total, { unit, value }) =>
      value.isZero() || unit.eq(1) ? total : total.plus(unit.div(value.mul(2))),
    new Exact(0),
  );
  const unit = result.isPercent ? result.unit.div(100) : result.unit;
  // Percentages are often cut off rather than rounded.
  const slack = unit
    .mul(result.isPercent ? 1.001 : 0.51)
    .plus(size.mul(rounding.mul(2).plus(result.isPercent ? 0.002 : 0)));
  return toPlain(result).minus(size).abs().lte(slack);
}

/** Replaces figures by "§", years by "¤"; returns where each of them is in the marked text. */
function mark(text: string, figures: readonly Figure[]): { marked: string; at: number[] } {
  const parts: string[] = [];
  const at: number[] = [];
  let length = 0;
  let from = 0;
  for (const figure of figures) {
    const before = text
      .slice(from, figure.from)
      .replace(/[§¤*_]/g, " ")
      .replace(/\s+/g, " ");
    at.push(length + before.length);
    parts.push(before, figure.isYear ? "¤" : "§");
    length += before.length + 1;
    from = figure.to;
  }
  parts.push(
    text
      .slice(from)
      .replace(/[§¤*_]/g, " ")
      .replace(/\s+/g, " "),
  );
  return { marked: parts.join(""), at };
}
