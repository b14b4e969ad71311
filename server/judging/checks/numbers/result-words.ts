import type { Token } from "./expression";

/** Words between a calculation and its result. */
const VERB = "(?:is|are|equals?|gives|makes|leaves|yields|totals|was|were|comes|amounts|come)";
const VERBS = new RegExp(`^${VERB}$`, "i");
/** Words that may surround such a verb: "which gives us a total of", "that comes to about". */
const AROUND =
  "(?:which|that|this|it|to|us|him|her|them|you|me|a|total|of|about|approximately|roughly|altogether|also)";
const AROUND_VERB = new RegExp(`^${AROUND}$`, "i");
const MAX_WORDS = 6;
/**
 * Matches every text in which a calculation may have a result: after a sign, or after such words.
 * Without a result, there is no need to read the calculations.
 */
export const MAY_STATE_RESULT = new RegExp(
  `[=≈≃≅→⇒]|->|\\\\(?:approx|simeq|rightarrow|implies)|${VERB}(?:[\\s$€£¥*_]+(?:${VERB}|${AROUND})){0,${MAX_WORDS}}[\\s$€£¥₹*_\\\\]*(?:[a-z]{1,4}\\$?\\s{0,2})?\\d`,
  "iu",
);
/** Tokens of a calculation; a limit keeps the time linear. */
const MAX_CALCULATION = 60;
/** Words after a result that do not make it part of something else. */
const AFTER_RESULT =
  /^(?:and|so|in|per|for|each|which|but|then|at|a|total|altogether|left|more|because|since)$/i;

/**
 * Turns words that announce a result into equals signs, as in "12 × 5, which gives 60", and "at" or
 * "@" before a price into a product, as in "4 boxes at $6".
 */
export function findResultWords(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const end = isArrow(token) ? at + 1 : findAnnouncementEnd(tokens, at);
    const start = end > 0 ? findCalculation(result) : null;
    if (start !== null && isResult(tokens, end, result.slice(start), isArrow(token))) {
      result.push({
        kind: "equals",
        text: "=",
        from: token.from,
        to: tokens[end - 1]?.to ?? token.to,
      });
      at = end - 1;
    } else if (isPriceMark(result, tokens[at + 1], token)) {
      result.push({ kind: "operator", text: "*", from: token.from, to: token.to });
    } else result.push(token);
  }
  return result;
}

const isArrow = ({ kind, text }: { kind: string; text?: string }) =>
  kind === "break" && /^(?:→|->|=>|⇒|\\(?:rightarrow|implies|Rightarrow))$/.test(text ?? "");

/** Returns where the words that announce a result end, with `at` being their first; otherwise 0. */
function findAnnouncementEnd(tokens: readonly Token[], at: number): number {
  let end = at;
  if (tokens[end]?.kind === "break" && (tokens[end] as { text: string }).text === ",") end++;
  let hasVerb = false;
  for (; end < at + MAX_WORDS; end++) {
    const token = tokens[end];
    if (token?.kind !== "word") break;
    if (VERBS.test(token.text)) hasVerb = true;
    else if (!AROUND_VERB.test(token.text) && !/^[$€£¥*_]+$/.test(token.text)) return 0;
  }
  return hasVerb && end > at ? end : 0;
}

/** Returns where the calculation at the end of `tokens` begins, or null if there is none. */
function findCalculation(tokens: readonly Token[]): number | null {
  let at = tokens.length - 1;
  let operators = 0;
  for (; at >= Math.max(0, tokens.length - MAX_CALCULATION); at--) {
    const token = tokens[at] as Token;
    if (["break", "equals", "roughly", "other"].includes(token.kind)) break;
    // "10-20" is a range, "3/4" a date or fraction.
    if (token.kind === "operator" && isApart(tokens, at)) operators++;
  }
  const isOpen = tokens[at]?.kind === "equals" || tokens[at]?.kind === "roughly";
  return operators > 0 && !isOpen ? at + 1 : null;
}

function isApart(tokens: readonly Token[], at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.kind !== "operator" || !before || !after) return false;
  return token.text === "*" || (before.to < token.from && token.to < after.from);
}

/** Returns whether the figure at `at` is the result of the calculation before it. */
function isResult(
  tokens: readonly Token[],
  at: number,
  calculation: readonly Token[],
  isAfterArrow: boolean,
): boolean {
  const first = tokens[at];
  const start = first?.kind === "word" && /^[$€£¥]$/.test(first.text) ? at + 1 : at;
  if (tokens[start]?.kind !== "figure") return false;
  const next = tokens[start + 1];
  if (!next || next.kind === "break" || next.kind === "close") return true;
  if (next.kind !== "word") return false;
  const isKnown = calculation.some(
    (token) => token.kind === "word" && toStem(token.text) === toStem(next.text),
  );
  return (
    isKnown || (!isAfterArrow && AFTER_RESULT.test(next.text)) || /^[*_"”’)]+$/.test(next.text)
  );
}

const toStem = (word: string) => word.toLowerCase().replace(/s$/, "");

/** Returns whether "at" or "@" is between a number of things and the price of one. */
function isPriceMark(before: readonly Token[], next: Token | undefined, token: Token): boolean {
  const isMark =
    (token.kind === "word" && token.text === "at") ||
    (token.kind === "other" && token.text === "@");
  if (!isMark || next?.kind !== "figure" || !next.figure.isMoney) return false;
  const count = before.findLast(({ kind }) => kind !== "word");
  return count?.kind === "figure" && !count.figure.isMoney && !count.figure.isPercent;
}
