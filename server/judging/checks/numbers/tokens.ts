import type { Token } from "./expression";
import { Exact, type Figure, readFigures } from "./figures";

type PlainKind = Exclude<Token["kind"], "figure">;

// cspell:ignore qquad mathrm textbf mathbf operatorname cdot
/** Patterns with the kind of their token; the first that matches at a position wins. */
const KINDS: [pattern: string, kind: PlainKind][] = [
  ["\\n{1,4}[ \\t]{0,20}(?:\\\\\\\\[ \\t]{0,20})?(?=&?\\s?(?:=|≈|\\\\approx))", "word"],
  ["\\n", "break"],
  ["\\\\\\\\", "break"],
  ["\\d{1,2}:\\d{2}(?::\\d{2})?", "other"],
  ["\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}(?![\\d,%])", "other"],
  ["\\\\[dt]?frac\\b", "fraction"],
  ["\\\\sqrt\\b|√|\\bsqrt\\b", "root"],
  [
    "\\\\(?:left|right|displaystyle|quad|qquad|,|;|!|:|\\s)|[*_]{2,3}|~(?=\\d)|[&`]|\\\\boxed\\b|\\\\[()[\\]]",
    "word",
  ],
  ["\\\\(?:text|mathrm|textbf|mathbf|operatorname)\\s?\\{[^{}\\n]{0,60}\\}", "word"],
  ["\\\\approx|≈|≃|≅|~=|\\\\simeq", "roughly"],
  ["==?(?![>=])", "equals"],
  ["\\\\(?:times|cdot)|[×·*⋅∙]|(?<=[\\d)%\\s])[xX](?=\\s?[\\d($€£\\\\])", "operator"],
  ["\\\\div|÷|/", "operator"],
  ["\\+(?!/)", "operator"],
  ["[-−–](?!>)", "operator"],
  ["\\^", "operator"],
  ["[([{]", "open"],
  ["[)\\]}]", "close"],
  ["[\\p{L}\\p{M}][\\p{L}\\p{M}\\p{N}'’_]*", "word"],
  ["<<|>>|[,;:|]|[.!?](?=\\s|$)|→|->|=>|⇒|\\\\(?:rightarrow|implies|Rightarrow)", "break"],
  ["[$€£¥₹¢]|°\\s?[CF]?\\b|[\"'“”‘’]", "word"],
  ["\\S", "other"],
];
const TOKEN = new RegExp(KINDS.map(([source]) => `(${source})`).join("|"), "gu");

const OPERATORS: Record<string, string> = {
  "\\times": "*",
  "\\cdot": "*",
  "×": "*",
  "·": "*",
  "⋅": "*",
  "∙": "*",
  x: "*",
  X: "*",
  "\\div": "/",
  "÷": "/",
  "−": "-",
  "–": "-",
};
const OPERATOR_WORDS: Record<string, string> = {
  plus: "+",
  minus: "-",
  times: "*",
  "multiplied by": "*",
  "divided by": "/",
};

/** "= 20x" states a multiple, not an unknown. */
const MULTIPLE = /(?<=[=≈]\s{0,2}\d{1,5})x(?![\p{L}\p{N}])/gu;

/** Splits a text into the tokens of arithmetic. Takes linear time. */
export function tokenise(source: string): Token[] {
  const text = source.replace(/(?<=[1-9]|\d0)x(?=\d)/gi, "×").replace(MULTIPLE, " ");
  const figures = readFigures(text);
  const tokens: Token[] = [];
  let at = 0;
  for (const figure of figures) {
    readBetween(text, at, figure.from, tokens);
    if (isPartOfDate(text, figure)) {
      tokens.push({ kind: "other", text: "", from: figure.from, to: figure.to });
    } else tokens.push({ kind: "figure", figure, from: figure.from, to: figure.to });
    at = figure.to;
  }
  readBetween(text, at, text.length, tokens);
  return findResultWords(
    tokens
      .map((token, index) => scaleByUnit(token, tokens[index + 1]))
      .filter((token, index, all) => !isScale(token, all[index - 1])),
  );
}

/** Reads "25 bps" as 0.25%, and "1.2M" and "3B" as millions and billions. */
function scaleByUnit(token: Token, next: Token | undefined): Token {
  if (token.kind !== "figure" || next?.kind !== "word") return token;
  const { figure } = token;
  if (/^(?:bps|bp|basis)$/.test(next.text)) {
    const [value, unit] = [figure.value.div(100), figure.unit.div(100)];
    return { ...token, figure: { ...figure, value, unit, isPercent: true } };
  }
  const scale = token.to === next.from ? SCALES[next.text] : undefined;
  if (!scale) return token;
  const [value, unit] = [figure.value.mul(scale), figure.unit.mul(scale)];
  return { ...token, figure: { ...figure, value, unit, scale: new Exact(scale) } };
}

const isScale = (token: Token, previous: Token | undefined) =>
  token.kind === "word" &&
  token.text in SCALES &&
  previous?.kind === "figure" &&
  previous.to === token.from;

const SCALES: Record<string, number> = { M: 1e6, B: 1e9 };

function readBetween(text: string, from: number, to: number, tokens: Token[]): void {
  TOKEN.lastIndex = from;
  while (TOKEN.lastIndex < to) {
    const match = TOKEN.exec(text);
    if (!match || match.index >= to) break;
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)]?.[1] ?? "other";
    const end = Math.min(to, match.index + match[0].length);
    const source = match[0];
    tokens.push({
      kind,
      text: kind === "operator" ? (OPERATORS[source] ?? source) : source,
      from: match.index,
      to: end,
    });
    mergeOperatorWords(tokens);
  }
}

/** Turns "divided by" and the like into operators. */
function mergeOperatorWords(tokens: Token[]): void {
  const last = tokens.at(-1);
  if (last?.kind !== "word") return;
  const word = last.text.toLowerCase();
  const previous = tokens.at(-2);
  if (word === "of" && previous?.kind === "figure" && previous.figure.isPercent) {
    tokens[tokens.length - 1] = { ...last, kind: "operator", text: "*" };
  } else if (OPERATOR_WORDS[word]) {
    tokens[tokens.length - 1] = { ...last, kind: "operator", text: OPERATOR_WORDS[word] };
  } else if (word === "by" && previous?.kind === "word") {
    const operator = OPERATOR_WORDS[`${previous.text.toLowerCase()} by`];
    if (operator)
      tokens.splice(-2, 2, { kind: "operator", text: operator, from: previous.from, to: last.to });
  }
}

/** Returns whether a figure is part of a date such as 12/31/2019 or 2019-12-31. */
function isPartOfDate(text: string, { from, to }: Figure): boolean {
  const around = text.slice(Math.max(0, from - 6), to + 6);
  const match =
    /(?<!\d)(?:\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})|(?:19|20)\d\d([/.-])\d{1,2}\2\d{1,2})(?!\d)/.exec(
      around,
    );
  if (!match) return false;
  const start = Math.max(0, from - 6) + match.index;
  return from >= start && to <= start + match[0].length;
}

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

const CONNECTIVE = /^(?:and|so|then|therefore|thus|hence|but|while|which|leaving|because|since)$/i;

export const isEquals = ({ kind }: Token): boolean => kind === "equals" || kind === "roughly";

/** Splits tokens at line ends and punctuation; keeps the parts that contain an equals sign. */
export function splitClauses(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [];
  let clause: Token[] = [];
  /** Positions in the clause of the brackets that are open. */
  let open: number[] = [];
  const endClause = () => {
    if (clause.some(isEquals)) clauses.push(clause);
    clause = [];
    open = [];
  };
  for (const token of tokens) {
    const endsResult =
      token.kind === "word" &&
      CONNECTIVE.test(token.text) &&
      (clause.length === 0 || clause.some(isEquals));
    if (token.kind === "break" || endsResult) {
      endClause();
      continue;
    }
    if (token.kind === "close" && open.pop() === undefined) {
      // The bracket belongs to a list marker or surrounds the whole clause.
      endClause();
      continue;
    }
    const outer = open.at(-1);
    if (isEquals(token) && outer !== undefined) {
      // "The rest (80 − 20 = 60)" has its calculation inside.
      clause = clause.slice(outer + 1);
      open = [];
    }
    if (token.kind === "open") open.push(clause.length);
    clause.push(token);
  }
  endClause();
  return clauses;
}

/** Splits a clause at its equals signs. `isRough[n]` is whether sign n is an approximate one. */
export function splitSides(clause: readonly Token[]): { sides: Token[][]; isRough: boolean[] } {
  const sides: Token[][] = [[]];
  const isRough: boolean[] = [];
  for (const token of clause) {
    if (!isEquals(token)) sides.at(-1)?.push(token);
    // "= ≈" is one sign.
    else if (sides.at(-1)?.length === 0 && isRough.length > 0) isRough[isRough.length - 1] = true;
    else {
      isRough.push(token.kind === "roughly");
      sides.push([]);
    }
  }
  return { sides, isRough };
}
