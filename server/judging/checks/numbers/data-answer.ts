// Parts of patterns. cspell:ignore expen
import { z } from "zod";
import type {
  CheckInput,
  CheckResult,
  Requirement,
  TextCheck,
} from "@/server/judging/checks/check";
import { type Line, listLines } from "./data-lines";
import { type DataTable, readTables } from "./data-table";
import { listDefined, readDefinition } from "./definitions";
import { isOppositeDirection } from "./direction";
import type { Expected } from "./expected-answers";
import { type Figure, formatExact, readFigures } from "./figures";
import { findAnswerFigures, isStatement, narrowAnswer } from "./final-answer";
import { readProseTable } from "./labelled-amounts";
import { listLoose } from "./loose-readings";
import { listMeasureLines } from "./measures";
import { findOperands, type Operand } from "./mentions";
import { listPlausible } from "./plausible-answers";
import { readProseSeries } from "./prose-series";
import { findQuestions, OPERATIONS, type Operation, type Question } from "./question";
import { isUnderstood, listLabels } from "./question-coverage";
import { listYears } from "./terms";
import { listNameTerms } from "./vocabulary";

const MAX_QUESTIONS = 5;
/** Longer texts are not read, to keep the time within limits. */
const MAX_LENGTH = 100_000;
const MAX_FIGURES = 300;
const parameters = z.strictObject({
  operation: z.enum(OPERATIONS),
  /** Which of the task's questions about figures, from 1. */
  question: z.int().min(1).max(MAX_QUESTIONS),
});
type Parameters = z.infer<typeof parameters>;

/** With more figures than this, some would agree with something by chance. */
const MAX_ANSWERS = 40;

const NAMES: Record<Operation, string> = {
  "percent-change": "percentage change",
  "growth-rate": "compound growth rate",
  "point-change": "change in percentage points",
  share: "share",
  ratio: "ratio",
  difference: "difference",
  average: "average",
  sum: "sum",
  value: "value",
};

export const dataAnswer: TextCheck<Parameters> = {
  name: "data-answer",
  parameters,
  extract(task): Requirement<Parameters>[] {
    const { tables, questions, prose } = readCase(task);
    if (tables.length === 0 && (questions.length === 0 || readProseSeries(prose).length === 0))
      return [];
    return questions.map(({ text, operation }, index) => ({
      check: "data-answer",
      parameters: { operation, question: index + 1 },
      statement: text,
    }));
  },
  describe: ({ operation }) =>
    `Answers with the ${NAMES[operation]} that follows from the task's data`,
  run: (input, { question }) => checkAnswer(input, question),
};

interface Case {
  tables: DataTable[];
  questions: Question[];
  /** The text around the tables. */
  prose: string;
}

function readCase(task: string): Case {
  if (task.length > MAX_LENGTH) return { tables: [], questions: [], prose: "" };
  const tables = readTables(task);
  const listed = tables.length === 0 ? readProseTable(task) : null;
  if (listed) tables.push(listed);
  const isData = (line: number) => tables.some(({ from, to }) => line >= from && line < to);
  const labels = tables.flatMap(listLabels);
  // A table that could not be read is no prose.
  const lines = task
    .split("\n")
    .filter((text, line) => !isData(line) && !/\|[^|\n]{0,200}\|/.test(text));
  const questions = findQuestions(task, isData, labels).slice(0, MAX_QUESTIONS);
  const prose = questions.reduce(
    (text, question) => text.replace(question.text, " "),
    lines.join("\n"),
  );
  return { tables, questions, prose };
}

function checkAnswer({ task, text }: CheckInput, number: number): CheckResult {
  if (text.length > MAX_LENGTH) return NOT_FOUND;
  const { tables, questions, prose } = readCase(task);
  const question = questions[number - 1];
  if (!question) return NOT_FOUND;
  const { figures, isMarked } = findAnswerFigures(text);
  if (figures.length === 0) return NO_FIGURE;
  if (figures.length > MAX_FIGURES) return NOT_FOUND;
  const given = listLines(tables, prose);
  const lines = [...given, ...listMeasureLines(question.text, given)];
  const operands = findSubject(question.text, lines);
  const expected = listPlausible({ question, operands, lines });
  const narrowed = narrowAnswer(figures, question.operation, task);
  const understood = isUnderstood(question, operands, { tables, prose });
  if (understood && question.operation === "value" && /\brespective(?:ly)?\b/i.test(question.text))
    return isSwapped(text, question.text, operands) ? SWAPPED : checkAll(text, expected);
  const match = findStatement(narrowed, expected);
  const changes = operands.flatMap((one) => listPlausible({ question, operands: [one], lines }));
  if (match && understood && isWrongWay(text, match, { question, changes, expected, operands }))
    return {
      outcome: "fail",
      observed: "the change is stated in the wrong direction",
      passages: [toPassage(match)],
    };
  if (match)
    return {
      outcome: "pass",
      observed: "the figure follows from the data",
      passages: [toPassage(match)],
    };
  if (narrowed.length > MAX_ANSWERS || (isMarked && questions.length > 1)) return NOT_FOUND;
  if (!understood || expected.length === 0) return NOT_FOUND;
  if (findStatement(narrowed, listLoose({ question, operands, lines }))) return NOT_FOUND;
  return toFailure(narrowed, expected);
}

/** Returns whether a line gives payments as negative figures, which rise as these fall. */
const isSpending = ({ names, points }: Line): boolean =>
  points.every(({ value }) => value.lt(0)) &&
  names.some(({ label }) =>
    /\b(?:expen\w+|costs?|purchases?|payments?|paid|dividends?|settlements?|repurchases?)\b/i.test(
      label,
    ),
  );

interface AskedChange {
  question: Question;
  /** Changes of single lines. */
  changes: readonly Expected[];
  expected: readonly Expected[];
  operands: readonly Operand[];
}

/** Returns whether an answer states a change of one line as a rise instead of a fall, or the reverse. */
function isWrongWay(text: string, match: Figure, asked: AskedChange): boolean {
  const { question, changes, expected, operands } = asked;
  const lines = operands.flatMap((operand) => operand.lines);
  const isChange = ["percent-change", "point-change", "difference"].includes(question.operation);
  const isOutflow = lines.every(isSpending);
  const isDated = lines.every(({ points }) =>
    points.every(({ value, time }) => (isOutflow || value.gt(0)) && time !== null),
  );
  const fitting = changes.filter((one) => isStatement(match, one));
  const [first] = fitting;
  if (!isChange || !isDated || !first) return false;
  // It may be the difference of two lines, which has no direction.
  if (expected.filter((one) => isStatement(match, one)).length > fitting.length) return false;
  const isHigher = first.value.gt(0);
  if (fitting.some(({ value }) => value.gt(0) !== isHigher)) return false;
  const isRise = isHigher !== isOutflow;
  return isOppositeDirection(text, match, isRise, question.text);
}

/** Finds the lines that a question is about: what it defines, else what it names. */
function findSubject(question: string, lines: readonly Line[]): Operand[] {
  const definition = readDefinition(question);
  if (!definition) return findOperands(question, lines);
  const given = lines.filter(({ isDerived }) => !isDerived);
  const name = {
    label: definition.text,
    terms: listNameTerms(question),
    sectionTerms: [],
    isTotal: false,
  };
  const variants = definition.formulas.flatMap((formula) =>
    [true, false].flatMap((isUnsigned): Line[] => {
      const points = listDefined(formula, question, given, isUnsigned);
      return points.length === 0
        ? []
        : [{ table: -1, names: [name, name], points, isPercent: false, isDerived: true }];
    }),
  );
  if (variants.length > 0)
    return [{ lines: variants, place: 0, words: [], isCertain: true, isFull: true }];
  return findOperands(question, lines).map((operand) => ({ ...operand, isCertain: false }));
}

/** Returns whether an answer without years gives the figures of two years in the reverse order. */
function isSwapped(text: string, question: string, operands: readonly Operand[]): boolean {
  const [line, ...others] = operands.flatMap((operand) => operand.lines);
  const years = listYears(question);
  if (!line || others.length > 0 || years.length !== 2 || listYears(text).length > 0) return false;
  const [first, second] = years.map((year) => line.points.filter((point) => point.year === year));
  const stated = readFigures(text);
  if (first?.length !== 1 || second?.length !== 1 || stated.length !== 2) return false;
  const [one, other] = [...first, ...second].map(({ value }) => ({ value, isExact: true }));
  const [before, after] = stated;
  if (!one || !other || !before || !after || one.value.eq(other.value)) return false;
  const isFirst = isStatement(before, one) || isStatement(after, other);
  return !isFirst && isStatement(before, other) && isStatement(after, one);
}

const SWAPPED: CheckResult = {
  outcome: "fail",
  observed: "the figures are in the wrong order",
};

/** Checks that a deliverable states every one of several values. */
function checkAll(text: string, expected: readonly Expected[]): CheckResult {
  const figures = readFigures(text);
  const found = expected.map((one) => findStatement(figures, [one]));
  if (found.some((figure) => figure === undefined)) return toFailure(figures, expected);
  const passages = found.flatMap((figure) => (figure ? [toPassage(figure)] : []));
  return { outcome: "pass", observed: "the figures follow from the data", passages };
}

const NOT_FOUND: CheckResult = {
  outcome: "not-applicable",
  observed: "the data could be read in several ways",
};
const NO_FIGURE: CheckResult = { outcome: "not-applicable", observed: "no figure stated" };

function findStatement(
  figures: readonly Figure[],
  expected: readonly Expected[],
): Figure | undefined {
  return figures.find((figure) => expected.some((one) => isStatement(figure, one)));
}

const toPassage = ({ from, to }: Figure) => ({ from, to });

function toFailure(figures: readonly Figure[], expected: readonly Expected[]): CheckResult {
  const values = [...new Set(expected.map(({ value }) => formatExact(value)))]
    .slice(0, 4)
    .join(" or ");
  return {
    outcome: "fail",
    observed: "another figure follows from the data",
    detail: values ? `The data gives ${values}.` : "No figure of the answer follows from the data.",
    passages: figures.slice(-3).map(toPassage),
  };
}
