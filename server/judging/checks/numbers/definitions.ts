import { type Line, type Point, pickPoints } from "./data-lines";
import { Exact, sum } from "./figures";
import { findOperands } from "./mentions";
import { listYears } from "./terms";
import { listNameTerms } from "./vocabulary";

/** A formula of named amounts, as in "(total debt minus cash) divided by equity". */
export type Formula =
  | { phrase: string }
  | { constant: number }
  | { operator: "+" | "-" | "*" | "/"; left: Formula; right: Formula };

const OPERATORS: [RegExp, "+" | "-" | "*" | "/"][] = [
  [/\b(?:divided by|over)\b|[/÷]/g, "/"],
  [/\b(?:times|multiplied by)\b|[×*]/g, "*"],
  [/\b(?:less|minus)\b|−| - /g, "-"],
  [/\bplus\b|\+/g, "+"],
];
const INTRODUCED =
  /\b(?:defined|computed|calculated|measured) (?:here )?as\b:?|\bi\.e\.,?|\(|\b(?:ratio|margin|turnover|rate|cash flow|days)\b[^?=]{0,30}=|\b(?:ratio|margin|turnover|outstanding|yield|cash flow)\b[^?:]{0,30}:|\b(?:compute|calculate)\b[^?]{0,60} as\b/gi;
const MAX_TOKENS = 40;

/** Returns the formulas that a definition in a question can mean, with its text, or null. */
export function readDefinition(question: string): { formulas: Formula[]; text: string } | null {
  const found: { formulas: Formula[]; text: string; size: number }[] = [];
  for (const match of question.matchAll(INTRODUCED)) {
    const from = match.index + match[0].length;
    const text =
      match[0] === "("
        ? readParenthesis(question, from)
        : question.slice(from).replace(/\?.*$/s, "");
    const tokens = tokenise(text);
    if (!tokens.some((token) => /^[-+*/]$/.test(token)) || tokens.length > MAX_TOKENS) continue;
    // "Cash plus receivables, divided by liabilities" divides the sum.
    const at = tokens.lastIndexOf("/");
    const isFlat = at > 0 && !tokens.includes("(");
    const grouped = isFlat ? ["(", ...tokens.slice(0, at), ")", ...tokens.slice(at)] : tokens;
    const formulas = [tokens, grouped].flatMap((list) => {
      const rest = [...list];
      const formula = parseSum(rest);
      return formula && rest.length === 0 ? [formula] : [];
    });
    if (formulas.length > 0) found.push({ formulas, text, size: tokens.length });
  }
  // "(cash + receivables) / liabilities" is more than its brackets.
  return found.toSorted((a, b) => b.size - a.size)[0] ?? null;
}

/** Returns the text up to the bracket that closes the one before `from`. */
function readParenthesis(text: string, from: number): string {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return text.slice(from, at);
  }
  return text.slice(from);
}

const tokenise = (text: string): string[] =>
  OPERATORS.reduce(
    (words, [word, operator]) => words.replace(word, ` § ${operator} § `),
    text
      .toLowerCase()
      .replace(
        /,? (?:for|in|at|as of) (?:the )?(?:end of )?(?:fiscal |year |fy ?)?(?:19|20)\d\d\b/g,
        " ",
      ),
  )
    .replace(/[()]/g, " § $& § ")
    .split("§")
    .map((token) => token.replace(/[.,;:?]/g, " ").trim())
    .filter((token) => token !== "");

function parseSum(tokens: string[]): Formula | null {
  let left = parseProduct(tokens);
  while (left && (tokens[0] === "+" || tokens[0] === "-")) {
    const operator = tokens.shift() as "+" | "-";
    const right = parseProduct(tokens);
    left = right && { operator, left, right };
  }
  return left;
}

function parseProduct(tokens: string[]): Formula | null {
  let left = parseAtom(tokens);
  while (left && (tokens[0] === "*" || tokens[0] === "/")) {
    const operator = tokens.shift() as "*" | "/";
    const right = parseAtom(tokens);
    left = right && { operator, left, right };
  }
  return left;
}

function parseAtom(tokens: string[]): Formula | null {
  const token = tokens.shift();
  if (token === undefined || /^[-+*/)]$/.test(token)) return null;
  if (token !== "(")
    return /^\d{1,6}$/.test(token) ? { constant: Number(token) } : { phrase: token };
  const inner = parseSum(tokens);
  return tokens.shift() === ")" ? inner : null;
}

/**
 * Returns the values of a formula in the periods that a question names; none if a part is unclear.
 * Statements show what is deducted with or without a minus sign: `isUnsigned` ignores signs.
 */
export function listDefined(
  formula: Formula,
  question: string,
  lines: readonly Line[],
  isUnsigned: boolean,
): Point[] {
  if ("constant" in formula)
    return [
      {
        value: new Exact(formula.constant),
        year: null,
        time: null,
        seasons: [],
        row: 0,
        column: 0,
      },
    ];
  if ("phrase" in formula) {
    const average = /^(?:the )?average (.+)$/.exec(formula.phrase)?.[1];
    const phrase = average ?? formula.phrase;
    const operands = findOperands(phrase, lines);
    const [only] = operands;
    if (operands.length !== 1 || !only?.isCertain) return [];
    const own = new Set(only.lines.flatMap(({ names }) => names.flatMap(({ terms }) => terms)));
    if (listNameTerms(phrase).some((term) => !own.has(term))) return [];
    const period = listYears(phrase).length > 0 ? phrase : question;
    const points = only.lines.flatMap((line) =>
      average ? averagePoints(line, period) : pickPoints(line, period),
    );
    return isUnsigned ? points.map((point) => ({ ...point, value: point.value.abs() })) : points;
  }
  const right = listDefined(formula.right, question, lines, isUnsigned);
  return listDefined(formula.left, question, lines, isUnsigned).flatMap((a) =>
    right
      .filter((b) => a.year === b.year || a.year === null || b.year === null)
      .flatMap((b) =>
        compute(formula.operator, a.value, b.value).map((value) => ({
          ...(a.year === null ? b : a),
          value,
        })),
      ),
  );
}

/** Averages the points of the periods that are named, or of the one named and the one before. */
function averagePoints(line: Line, period: string): Point[] {
  const asked = pickPoints(line, period);
  const last = asked.reduce<Point | undefined>(
    (latest, point) =>
      (latest?.time ?? Number.NEGATIVE_INFINITY) < (point.time ?? 0) ? point : latest,
    undefined,
  );
  const before = line.points.filter(({ year }) => year !== null && year === (last?.year ?? 0) - 1);
  const all = asked.length > 1 ? asked : [...asked, ...before];
  if (!last || all.length < 2) return [];
  return [{ ...last, value: sum(all.map(({ value }) => value)).div(all.length) }];
}

function compute(operator: "+" | "-" | "*" | "/", a: Exact, b: Exact): Exact[] {
  if (operator === "/") return b.isZero() ? [] : [a.div(b)];
  if (operator === "*") return [a.mul(b)];
  return [operator === "+" ? a.plus(b) : a.minus(b)];
}
