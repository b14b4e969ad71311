import type { Line, Name } from "./data-lines";
import type { Expected } from "./expected-answers";
import { type Operand, type QuestionWord, readWords } from "./mentions";
import { listPlausible, type Reading } from "./plausible-answers";
import { listOperations } from "./question";

/** Bounds the time, and how often a figure agrees by chance. */
const MAX_LINES = 10;
const MAX_TOTALS = 10;

/**
 * Returns the values of readings that are less likely than those of the operands: of other lines
 * with words of the question, unless an operand explains these fully, alone and in pairs, and of
 * every operation that its words could ask for. An answer that agrees with one may be right.
 */
export function listLoose({ question, operands, lines }: Reading): Expected[] {
  const words = readWords(question.text);
  const asked = new Set(words.map(({ term }) => term));
  const own = operands.flatMap((operand) => operand.lines);
  const named = operands
    .filter(({ isFull, isCertain }) => isFull && isCertain)
    .map((operand) => new Set(operand.words.map((at) => words[at]?.term)));
  const candidates = lines
    .map((line) => ({ line, shared: listShared(line, asked) }))
    .filter(
      ({ line, shared }) =>
        own.includes(line) ||
        (shared.length > 0 &&
          (!named.some((terms) => shared.every((term) => terms.has(term))) ||
            own.some((other) => isTotalOf(line, other)))),
    )
    .toSorted((a, b) => b.shared.length - a.shared.length)
    .slice(0, MAX_LINES)
    .map(({ line }) => toOperand(line, words));
  const totals = lines
    .filter(({ names }) => names.some(({ isTotal }) => isTotal))
    .slice(0, MAX_TOTALS);
  const pairs = candidates.flatMap((one) =>
    candidates
      .filter((other) => other !== one && other.place >= one.place)
      .map((other) => [one, other]),
  );
  const choices = [...candidates.map((one) => [one]), ...pairs];
  const operations = new Set([question.operation, ...listOperations(question.text)]);
  return [...operations].flatMap((operation) =>
    choices.flatMap((chosen) =>
      listPlausible({ question: { ...question, operation }, operands: chosen, lines: totals }),
    ),
  );
}

/** Returns the words that a line shares with a question; none unless they are half of one name. */
function listShared({ names }: Line, asked: ReadonlySet<string>): string[] {
  const shared = names.map(({ terms }) => terms.filter((term) => asked.has(term)));
  const isNamed = names.some(
    ({ terms }, at) => terms.length > 0 && (shared[at]?.length ?? 0) * 2 >= terms.length,
  );
  return isNamed ? shared.flat() : [];
}

const isSame = (one: Name, other: Name) =>
  one.label === other.label && one.sectionTerms.join() === other.sectionTerms.join();

/** Returns whether a line is the total of the row or column of another. */
const isTotalOf = (line: Line, other: Line) =>
  line.names.some(({ isTotal }, at) => {
    const across = line.names[1 - at];
    const its = other.names[1 - at];
    return isTotal && across !== undefined && its !== undefined && isSame(across, its);
  });

const toOperand = (line: Line, words: readonly QuestionWord[]): Operand => ({
  lines: [line],
  place: words.findIndex(({ term }) => line.names.some(({ terms }) => terms.includes(term))),
  words: [],
  isCertain: false,
  isFull: false,
});
