import { Exact } from "@/server/judging/checks/numbers/figures";
import { BUSINESS_PROBLEMS } from "./business-problems";
import { countDays } from "./day-count";
import { INTEREST_PROBLEMS } from "./interest-problems";
import { PRICE_PROBLEMS } from "./price-problems";
import type { ProblemKind } from "./problem-kind";
import { RATE_PROBLEMS } from "./rate-problems";

const KINDS: ProblemKind[] = [
  ...INTEREST_PROBLEMS,
  ...PRICE_PROBLEMS,
  ...BUSINESS_PROBLEMS,
  ...RATE_PROBLEMS,
];

/** Conditions that no formula here covers. */
const MORE =
  /\b(?:except|unless|tip|fees?|commission|withdraw\w*|additional deposit|each month|every month|monthly|quarterly|continuous\w*|inflation|taxed|after tax|half|twice|double of|triple|dozen|shipping|coupon code|difference|compare|how much more|explain|why|both|friends|respectively|profit|refund\w*|leaks?|rests?|stops?|return trip|round trip|later|already|empt\w+|drain\w*|before (?:sales )?(?:tax|VAT)|without (?:tax|VAT)|net price)\b/gi;
const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);
const NUMBER_WORD = new RegExp(`\\b(?:${NUMBER_WORDS.slice(2).join("|")})\\b`, "gi");
/** How to round the answer; its numbers are not part of the problem. */
const ROUNDING =
  /\b(?:round(?:ed)?|give|answer|express(?:ed)?)\b[^.?!\n]{0,40}\b(?:decimals?|decimal places?|cents?)\b|\b(?:to|with) \d (?:decimals?|decimal places?)\b|\b\d decimals\b/gi;
/** "Two trains" whose speeds are both given. */
const PAIR =
  /\b2 (?=(?:trains|cars|cyclists|pipes|pumps|taps|workers|painters|machines|runners|boats|planes)\b)/gi;
const MAX_LENGTH = 600;

/** Public names of what is asked for. */
export const PROBLEMS: ReadonlySet<string> = new Set([
  ...KINDS.map(({ name }) => name),
  "number of days",
]);

export interface Solution {
  name: string;
  values: Exact[];
}

/** Returns the solution of a short word problem of a known kind, or null. */
export function solveWordProblem(source: string): Solution | null {
  if (source.length > MAX_LENGTH) return null;
  const task = source
    .replace(NUMBER_WORD, (word) => String(NUMBER_WORDS.indexOf(word.toLowerCase())))
    .replace(ROUNDING, "")
    .replace(PAIR, "");
  if (!/\d/.test(task)) return null;
  const days = countDays(task);
  if (days) return { name: "number of days", values: days };
  const conditions = task.match(MORE) ?? [];
  const solutions = KINDS.flatMap((kind) => solve(task, conditions, kind) ?? []);
  const [only, ...others] = solutions;
  const isAgreed = others.every(({ values }) =>
    values.every((value, index) => value.eq(only?.values[index] ?? 0)),
  );
  return only && isAgreed ? only : null;
}

function solve(
  task: string,
  conditions: readonly string[],
  { name, patterns, compute, allows }: ProblemKind,
): Solution | null {
  if (conditions.some((word) => !allows || word.search(allows) < 0)) return null;
  const matches: RegExpExecArray[] = [];
  for (const pattern of patterns) {
    const match = pattern.exec(task);
    if (!match) return null;
    matches.push(match);
  }
  if (!coversNumbers(task, matches)) return null;
  const numbers = matches.flatMap((match) => match.slice(1).filter(Boolean));
  const values = compute(...numbers.map((number) => new Exact(number.replaceAll(",", ""))));
  const finite = values.filter((value) => value.isFinite());
  return finite.length > 0 ? { name, values: finite } : null;
}

/** Returns whether every number of the task is read, since any other might change what is asked for. */
function coversNumbers(task: string, matches: readonly RegExpExecArray[]): boolean {
  return [...task.matchAll(/\d[\d,]*(?:\.\d+)?/g)].every(({ index }) =>
    matches.some((match) => match.index <= index && index < match.index + match[0].length),
  );
}
