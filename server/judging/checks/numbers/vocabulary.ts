import { listTerms } from "./terms";

// Parts of patterns. cspell:ignore capex cogs ppe

/** Different words for the same thing. */
const SYNONYMS: [RegExp, string][] = [
  [/\br ?& ?d\b/g, "research development"],
  [/\bsg ?& ?a\b/g, "selling general administrative"],
  [/\bpp ?& ?e\b/g, "property plant equipment"],
  [
    /\bcapex\b|\bcapital spending\b|\b(?:purchases?|acquisitions?|additions?) (?:of|to) property[a-z, &]{0,40}?equipment\b/g,
    "capital expenditure",
  ],
  [/\bnet (?=change|increase|decrease|working)/g, ""],
  [
    /\b(?:net )?cash (?:flows? )?(?:provided by|from|generated (?:by|from))(?: \(used (?:in|for)\))? (?:operating activities|operations)\b|\bcash flows? from operations\b/g,
    "operating cash flow",
  ],
  [/\bd ?& ?a\b/g, "depreciation amortization"],
  [/\bbuybacks?\b/g, "share repurchases"],
  [/\bcogs\b|\bcosts? of (?:goods sold|products? sold|sales)\b/g, "cost of revenue"],
  [/\beps\b/g, "earnings per share"],
  [/\b(?:stockholder|shareowner)s?\b/g, "shareholder"],
  [/\b(?:net )?(?:sales|revenues?)\b/g, "revenue"],
  [/\bprofits?\b|\bearnings\b/g, "income"],
  [/\bsquare (?:feet|foot)\b|\bsq\.? ?ft\b/g, "square feet"],
  [/\bheadcount\b|\bworkforce\b/g, "employees"],
  [/\bexpenditures?\b/g, "expenditure"],
];

/** Bounds of a time or size, as in "less than 1 year" and "1-3 years". */
const BUCKET =
  /\b(less|more|over|under|within|after|beyond) ?(?:than )?(\d{1,3}|one|two|three|five|ten) years?\b|\b(\d{1,3}) ?(?:-|–|to) ?(\d{1,3}) (?:years?|months?|days?)\b/g;

const NUMBERS: Record<string, string> = { one: "1", two: "2", three: "3", five: "5", ten: "10" };
const SIDES: Record<string, string> = {
  under: "less",
  within: "less",
  over: "more",
  after: "more",
  beyond: "more",
};

/** Rewrites a text in the words that names are compared in. */
export function normaliseWords(text: string): string {
  const lower = text.toLowerCase();
  const buckets = lower.replace(BUCKET, (_, side, bound, low, high) =>
    side ? ` ${SIDES[side] ?? side}x${NUMBERS[bound] ?? bound} ` : ` x${low}x${high} `,
  );
  return SYNONYMS.reduce((words, [from, to]) => words.replace(from, to), buckets);
}

/** Returns the words that say what a row, a column or an amount is. */
export const listNameTerms = (label: string): string[] => [
  ...new Set(listTerms(normaliseWords(label))),
];
