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
  return tokens
    .map((token, index) => scaleByUnit(token, tokens[index + 1]))
    .filter((token, index, all) => !isScale(token, all[index - 1]));
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

/** Matches every text in which a calculation may have a result. */
export const MAY_STATE_RESULT = /[=≈≃≅]|\\(?:approx|simeq)/;

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
