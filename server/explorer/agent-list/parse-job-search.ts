import { usdcSchema } from "@/server/lib/schema";

/** A search in words, apart from the value of a job that it names. */
export interface JobSearch {
  text: string;
  /** Undefined if the search names no value. */
  valueUsdc: number | undefined;
}

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d{1,10})(?:\.\d{1,6})?`;
/** A number with its unit, and the words that join it to the rest: `for 300 USDC`, `$1,250 of`. */
const AMOUNT = new RegExp(
  String.raw`(?<!\S)(?:(?:for|at|under|up to) +)?(?:\$ ?(${NUMBER})(?: ?USDC?)?|(${NUMBER}) ?USDC?)(?: +(?:of|for))?(?!\S)`,
  "i",
);

/** Takes the first amount of money out of a search: `code review 300 USDC`, `$300 of code review`. */
export function parseJobSearch(q: string): JobSearch {
  const match = AMOUNT.exec(q);
  const amount = Number((match?.[1] ?? match?.[2])?.replaceAll(",", ""));
  if (!match || !usdcSchema.safeParse(amount).success) return { text: q, valueUsdc: undefined };
  const parts = [q.slice(0, match.index), q.slice(match.index + match[0].length)];
  const text = parts.map((part) => part.trim()).filter(Boolean);
  return { text: text.join(" "), valueUsdc: amount };
}
