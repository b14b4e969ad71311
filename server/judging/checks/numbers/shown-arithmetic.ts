import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type Passage,
  type TextCheck,
} from "@/server/judging/checks/check";
import { findMarkdownTables, type MarkdownTable } from "@/server/judging/checks/formats/tables";
import { type Equation, findEquations } from "./equations";
import {
  Exact,
  type Figure,
  formatExact,
  readFigures,
  sum,
  toDecimalPoints,
  toSigned,
} from "./figures";

export const shownArithmetic: TextCheck<Record<string, never>> = {
  name: "shown-arithmetic",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("shown-arithmetic")],
  describe: () => "Calculations that are shown come out as stated",
  run: ({ task, text }) =>
    toResult(listEquations(text.slice(0, MAX_LENGTH), task.slice(0, MAX_LENGTH)), text),
};

/** Longer texts are checked up to here, to keep the time within limits. */
const MAX_LENGTH = 100_000;

const listEquations = (text: string, task: string): Equation[] => [
  ...findEquations(text, task),
  ...findPercentForms(text),
  ...findStatedChanges(text),
  ...findTableTotals(text, task),
];

function toResult(equations: Equation[], text: string): CheckResult {
  const wrong = equations.filter(({ isRight }) => !isRight);
  const count = `${equations.length} calculation${equations.length === 1 ? "" : "s"}`;
  if (equations.length === 0)
    return { outcome: "not-applicable", observed: "no calculation found" };
  if (wrong.length === 0) return { outcome: "pass", observed: `${count} recomputed, all correct` };
  return {
    outcome: "fail",
    observed: `${count} recomputed, ${wrong.length} wrong`,
    detail: wrong
      .slice(0, 5)
      .map(
        ({ from, to, computed }) =>
          `${text.slice(from, to).slice(0, 200)}: computed ${formatExact(computed)}`,
      )
      .join("; "),
    passages: wrong.slice(0, 10).map(({ from, to }): Passage => ({ from, to })),
  };
}

/** A fraction followed by the same in percent: "0.105 = 10.5%", "0.105 (10.5%)", "0.105, or 10.5%". */
const FRACTION_AND_PERCENT =
  /(?<![\d.,])0?\.(\d{2,8})(?!\d)[*\s]{0,4}(?:(?:=|≈|→|,? or|,? i\.e\.,?|,? which is|,? that is)[\s*]{0,4}(?:about |roughly |approximately )?(\d{1,3}(?:\.\d{1,4})?)\s?\\?%(?=[*]{0,3}(?:[.,;)\s]|$))(?!\s*(?:of|and|or|to|[-–])\b)|\((?:about |≈ ?)?(\d{1,3}(?:\.\d{1,4})?)\s?\\?%\))/g;
/** The end of a quotient; after a difference, as in "3.05 − 2.95 = 0.10 (3.4%)", both can be right. */
const QUOTIENT = /(?:[/÷]|frac)[^\n=≈]{0,60}[=≈][\s*]{0,4}$/;
const NOT_SAME = /\b(?:not|instead|wrong|mistake)\b/i;
const CONTEXT = 120;

/** Compares quotients that a text states as a fraction with their statement in percent. */
export function findPercentForms(text: string): Equation[] {
  return [...text.matchAll(FRACTION_AND_PERCENT)].flatMap((match): Equation[] => {
    const [whole, decimals = "", following, inBrackets] = match;
    const from = match.index;
    const before = text.slice(Math.max(0, from - CONTEXT), from);
    if (!QUOTIENT.test(before) || NOT_SAME.test(before)) return [];
    const fraction = new Exact(`0.${decimals}`);
    const percent = following ?? inBrackets ?? "";
    const places = percent.split(".")[1]?.length ?? 0;
    // Either may be rounded or cut off.
    const slack = Exact.max(new Exact(10).pow(2 - decimals.length), new Exact(10).pow(-places)).mul(
      1.001,
    );
    const difference = fraction.mul(100).minus(percent).abs();
    return [{ isRight: difference.lte(slack), computed: fraction, from, to: from + whole.length }];
  });
}

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

// cspell:ignore summe gesamt insgesamt totaux suma totale
const TOTAL =
  /^\W*(?:grand |overall |sub-?)?(?:totals?|sum|summe|gesamt|insgesamt|total general|totaux|suma|totale)\b(?!\s*(?:return|shareholder|score|rate|cost per|%))[^\d]{0,20}$/i;
const NOT_ADDED =
  /\b(?:average|avg|mean|median|rate|price|ratio|per|margin|yield|return|max|min|share|change|growth|score|rank|weighted|cumulative|running|balance|id|no|year|apr|unit|age|rating)\b|%|\/|#|ø/i;
const DEDUCTED =
  /\b(?:less|minus|fees?|cost|costs|expenses?|discount|tax|refund|deduction|withdraw|loss|paid|payment|returns?)\b|^\s*[-−(]/i;

/**
 * Recomputes the totals of the Markdown tables in a text. Skips totals that the task states, columns that do
 * not add up by their nature, and tables with more than one total.
 */
export function findTableTotals(text: string, task: string): Equation[] {
  const lines = text.split("\n");
  if (lines.length > 4_000) return [];
  const tables = findMarkdownTables(toDecimalPoints(text));
  if (tables.length === 0) return [];
  const given = new Set(readFigures(task).map(({ value }) => value.toFixed()));
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return tables.flatMap((table) => {
    const totals = checkRows(table).filter(({ stated }) => !given.has(stated.value.toFixed()));
    // Totals of several columns that are all wrong are more likely no sums at all.
    const wrong = totals.filter(({ isRight }) => !isRight).length;
    if (wrong > 1 && wrong === totals.length) return [];
    const from = starts[table.from] ?? 0;
    const to = Math.max(from, (starts[table.to] ?? text.length) - 1);
    return totals.map(({ isRight, computed }) => ({ isRight, computed, from, to }));
  });
}

interface Total {
  isRight: boolean;
  computed: Exact;
  stated: Figure;
}

function checkRows({ header: [, ...columns], rows: lines }: MarkdownTable): Total[] {
  const rows = lines.map(([label = "", ...cells]) => ({ label, cells: cells.map(readCell) }));
  const totals = rows.filter(({ label }) => TOTAL.test(label));
  const [total] = totals;
  if (totals.length !== 1 || !total || total !== rows.at(-1) || rows.length < 3) return [];
  const parts = rows.slice(0, -1);
  // A row without figures is a heading: the total may be that of the rows below it only.
  const isHeading = ({ cells }: (typeof rows)[number]) => cells.every((cell) => cell === null);
  if (parts.some((row) => isHeading(row) || /total|sum\b/i.test(row.label))) return [];
  return columns.flatMap((column, index): Total[] => {
    const stated = total.cells[index];
    const cells = parts.map(({ cells: own }) => own[index] ?? null);
    if (!stated || NOT_ADDED.test(column) || cells.some((cell) => cell === null)) return [];
    const figures = cells.filter((cell) => cell !== null);
    if (figures.some(({ isPercent, isYear }) => isPercent !== stated.isPercent || isYear))
      return [];
    const labels = parts.map(({ label }) => label);
    const options = listSums(figures, labels);
    const computed = options[0] ?? new Exact(0);
    const slack = figures.reduce(
      (most, { unit }) => (unit.eq(1) && !stated.isPercent ? most : most.plus(unit.div(2))),
      stated.unit.mul(0.51),
    );
    const target = stated.isPercent ? toSigned(stated).mul(100) : toSigned(stated);
    // A total between the least and the greatest part is an average.
    const sizes = figures.map(({ value }) => value);
    if (stated.value.gte(Exact.min(...sizes)) && stated.value.lte(Exact.max(...sizes))) return [];
    const isRight = options.some((option) => {
      const value = stated.isPercent ? option.mul(100) : option;
      return value.abs().minus(target.abs()).abs().lte(slack);
    });
    return [{ isRight, computed, stated }];
  });
}

/** Returns the plain sum, and the sum with deducted rows taken off if there may be any. */
function listSums(figures: readonly Figure[], labels: readonly string[]): Exact[] {
  const values = figures.map(toSigned);
  const plain = values.reduce((total, value) => total.plus(value), new Exact(0));
  const deducted = values.filter((_, index) => DEDUCTED.test(labels[index] ?? ""));
  const removed = deducted.reduce((total, value) => total.plus(value.abs().mul(2)), new Exact(0));
  return deducted.length === 0 ? [plain] : [plain, plain.minus(removed)];
}

/** Returns the figure of a cell, the last one of a calculation; null if the cell is text. */
function readCell(cell: string): Figure | null {
  const [figure] = readFigures(
    cell
      .slice(cell.lastIndexOf("=") + 1)
      .replace(/([$€£])\s+(?=[-(\d.])/g, "$1")
      .replace(/^\.(?=\d)/, "0."),
  );
  const letters = cell.match(/\p{L}/gu)?.length ?? 0;
  return letters > 12 || /\d{1,2}\/\d{1,2}\/\d{2}/.test(cell) ? null : (figure ?? null);
}
