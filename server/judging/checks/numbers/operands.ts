import type { Token } from "./expression";

/** Words before which, or functions in which, figures are not plain operands. */
const NOT_PLAIN =
  /^(?:log|ln|exp|sin|cos|tan|mod|modulo|max|min|sum|avg|average|mean|median|round|rounded|floor|ceil|abs|less|over|root|negative|minus|squared|cubed|factorial|choose|percent|or|than|when|where|if|into|is|are|was|were|vs|versus|[\p{L}])$/iu;
/** Words that are plain only if no figure follows: "5 for 3" may be anything. */
const BEFORE_NOTE = /^(?:to|for|at|with|from|by|per|in|on|of|a|an|the|and|each)$/i;
/** Letters that are a unit right after a figure, and otherwise a variable. */
const VARIABLE_UNIT = /^(?:[smhd]|[gt]|[bl]|[LWV]|[AJB])$/;

/** Where a side of an equation is among all its sides. */
export type Place = "first" | "middle" | "last";

export const isLetters = (token: Token): boolean =>
  token.kind === "word" && /^\p{L}/u.test(token.text);

export const isOdd = (token: Token): boolean => token.kind === "word" && NOT_PLAIN.test(token.text);

/**
 * Removes units, labels and remarks in parentheses from one side of an equation. Returns null if it
 * contains a variable or function. On the last side, words end the calculation.
 */
export function selectOperands(side: readonly Token[], place: Place): Token[] | null {
  const isLast = place === "last";
  const tokens: Token[] = [];
  for (let at = 0; at < side.length; at++) {
    const token = side[at] as Token;
    const last = tokens.at(-1);
    const isAfterValue = last?.kind === "figure" || last?.kind === "close";
    if (token.kind === "other") {
      if (isLast && tokens.some(({ kind }) => kind === "figure")) break;
      return null;
    }
    if (token.kind === "open") {
      const close = findRemark(side, at, last);
      if (close > 0) {
        at = close;
        continue;
      }
      if (isLast && last?.kind === "figure" && last.to < token.from) break;
    }
    const next = side[at + 1];
    if (isOperator(token, "/") && next && isLetters(next)) {
      at++;
      continue;
    }
    if (token.kind !== "word") {
      tokens.push(token);
      continue;
    }
    if (!isLetters(token)) continue;
    if (isLast && isAfterValue && !continues(side, at)) break;
    if (isUnitAt(side, at)) continue;
    if (BEFORE_NOTE.test(token.text)) {
      const end = findNoteEnd(side, at);
      // In "a = 15 + 128 for b = 8", the note names what the next sign is about.
      if (end === 0 || (end === side.length && place === "middle")) return null;
      at = end - 1;
    } else if (isOdd(token)) return null;
  }
  return tokens;
}

const isOperator = (token: Token | undefined, text: string) =>
  token?.kind === "operator" && token.text === text;

/** Returns whether the word at `at` is a unit, as in "24 h × 30", rather than a variable. */
function isUnitAt(side: readonly Token[], at: number): boolean {
  const [before, token, after] = [side[at - 1], side[at], side[at + 1]];
  const isUnit = token?.kind === "word" && (VARIABLE_UNIT.test(token.text) || token.text === "min");
  return (
    isUnit &&
    before?.kind === "figure" &&
    token.from <= before.to + 1 &&
    (after === undefined || after.kind === "operator" || after.kind === "close")
  );
}

/** Returns whether an operator follows the words at `at`, so that they are a unit. */
function continues(side: readonly Token[], at: number): boolean {
  let next = at;
  while (side[next]?.kind === "word") next++;
  return side[next]?.kind === "operator";
}

/** Returns where the words of a note such as "for adults" end, or 0 if a figure follows them. */
function findNoteEnd(side: readonly Token[], at: number): number {
  let end = at + 1;
  while (side[end]?.kind === "word" && !isOdd(side[end] as Token)) end++;
  const after = side[end];
  const isPlain = after === undefined || after.kind === "operator" || after.kind === "close";
  return isPlain && (end > at + 1 || after === undefined) ? end : 0;
}

/** Returns the index of the parenthesis that closes a remark, or 0 if a calculation is in it. */
function findRemark(side: readonly Token[], open: number, previous: Token | undefined): number {
  let at = open + 1;
  let words = 0;
  let figures = 0;
  for (; at < side.length && side[at]?.kind !== "close"; at++) {
    const token = side[at] as Token;
    if (isLetters(token)) words++;
    else if (token.kind === "figure" && (token.figure.isYear || words > 0)) figures++;
    else if (token.kind !== "word") return 0;
  }
  const follows = previous?.kind === "figure" || previous?.kind === "close";
  return at < side.length && (words > 0 || (figures > 0 && follows)) ? at : 0;
}
