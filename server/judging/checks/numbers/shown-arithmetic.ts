import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type Passage,
  type TextCheck,
} from "@/server/judging/checks/check";
import { findMarkdownTables, type MarkdownTable } from "@/server/judging/checks/formats/tables";
import { type Equation, findEquations } from "./equations";
import { Exact, type Figure, formatExact, readFigures, toDecimalPoints, toSigned } from "./figures";

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
  ...findTableTotals(text, task),
];

function toResult(equations: Equation[], text: string): CheckResult {
  const wrong = equations.filter(({ isRight }) => !isRight);
  const count = `${equations.length} calculation${equations.length === 1 ? "" : "s"}`;
  if (equations.length === 0)
    return { outcome: "not-applicable", observed: "no calculation found" };
  if (wrong.length === 0) return { outcome: "pass", observed: `${count} recomputed, all correct` };
  const kinds = [
    ...new Set(wrong.map(({ from, to }) => describeCalculation(text.slice(from, to)))),
  ];
  const are = wrong.length === 1 ? "is" : "are";
  return {
    outcome: "fail",
    observed: `${wrong.length} of ${count} ${are} wrong: ${kinds.slice(0, 3).join(", ")}`,
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

const NUMBER_WORDS = "no one two three four five six seven eight nine ten".split(" ");

/** Describes a calculation without its figures: "a sum of four figures". */
function describeCalculation(source: string): string {
  if (source.includes("\n")) return "a total in a table";
  const side = source.split(/[=≈→]/, 1)[0] ?? "";
  const { length } = readFigures(side);
  const kinds = [
    [/\+/, "a sum"],
    [/[-−–]/, "a difference"],
    [/[×*·]|\d\s?x\s?\d/, "a product"],
    [/[÷/]/, "a quotient"],
  ] as const;
  const [kind, ...others] = kinds.filter(([sign]) => sign.test(side));
  const name = kind && others.length === 0 ? kind[1] : "a calculation";
  return length < 2 ? name : `${name} of ${NUMBER_WORDS[length] ?? length} figures`;
}

// cspell:ignore davon brutto summe gesamt insgesamt totaux suma totale
const TOTAL =
  /^\W*(?:grand |overall |sub-?)?(?:totals?|sum|summe|gesamt|insgesamt|total general|totaux|suma|totale)\b(?!\s*(?:return|shareholder|score|rate|cost per|unique|distinct|average|%))[^\d]{0,20}$/i;
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
  // The task may give "1,482k" for what a column in thousands calls 1,482.
  const toDigits = ({ value }: Figure) => value.toExponential().split("e", 1)[0];
  const given = new Set(readFigures(task).map(toDigits));
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return tables.flatMap((table) => {
    const totals = checkRows(table).filter(({ stated }) => !given.has(toDigits(stated)));
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
  if (
    parts.some(
      (row) =>
        isHeading(row) ||
        /total|sum\b|\b(?:net|netto|gross|brutto|before|after|of which|thereof|davon|dont|including|incl)\b/i.test(
          row.label,
        ),
    )
  )
    return [];
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
    const slack = figures.reduce((most, { unit }) => most.plus(unit.div(2)), stated.unit.mul(0.51));
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
