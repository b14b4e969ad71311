import type { Finding } from "@/server/judging/judge";

/** What a criterion is about, by words of its own. The first that applies names it. */
const TOPICS: readonly (readonly [topic: string, words: RegExp])[] = [
  [
    "sources or quotations",
    /\b(?:sources?|cit(?:es?|ed|ations?)|references?|quot\w*|links?|urls?)\b/,
  ],
  [
    "form or structure",
    /\b(?:format\w*|json|csv|yaml|html|tables?|markdown|headings?|columns?|bullets?|lists?|structured?|sections?|titles?)\b/,
  ],
  [
    "length or number of parts",
    /\b(?:words?|characters?|sentences?|paragraphs?|pages?|lines?|at (?:most|least)|exactly|long|short|length)\b/,
  ],
  [
    "code or commands",
    /\b(?:code|functions?|methods?|class(?:es)?|compil\w*|scripts?|commands?|config\w*|parameters?|bugs?|errors?|tests?|quer(?:y|ies)|endpoints?)\b/,
  ],
  [
    "figures or calculations",
    /\b(?:figures?|numbers?|amounts?|totals?|sums?|calculat\w*|percent\w*|rates?|prices?|costs?|averages?|ratios?|returns?|results?|values?)\b|%|\d/,
  ],
  [
    "dates or times",
    /\b(?:dates?|deadlines?|days?|weeks?|months?|years?|times?|hours?|schedules?|periods?)\b/,
  ],
  [
    "language, tone or style",
    /\b(?:language|english|german|french|spanish|portuguese|chinese|japanese|translat\w*|tone|style|formal|polite|audience|voice)\b/,
  ],
  ["risks or limits", /\b(?:risks?|warn\w*|limit\w*|cautions?|assumptions?|exceptions?)\b/],
  ["steps or instructions", /\b(?:steps?|procedures?|instructions?|plans?|stages?)\b/],
  [
    "reasons or conclusions",
    /\b(?:reasons?|explains?|why|causes?|conclu\w*|recommend\w*|argues?|compares?)\b/,
  ],
  ["names of people, places or things", /\b(?:names?|named|identif\w*|mentions?|who|where)\b/],
];

/**
 * Describes a criterion without its words, for those that repeat private text: whether it is required
 * and what it is about, as far as our list of topics tells.
 */
export function describeWithheld({ text, kind }: Pick<Finding, "text" | "kind">): string {
  const words = text.toLowerCase();
  const topic = TOPICS.find(([, pattern]) => pattern.test(words))?.[0] ?? "content of the work";
  const adjective = kind === "must" ? "required" : kind === "should" ? "desirable" : "further";
  return `A ${adjective} point on ${topic}, in private words`;
}

/** Numbers equal names, so that each can be referred to. */
export function numberRepeats(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const earlier = names.slice(0, index).filter((each) => each === name).length;
    return earlier === 0 ? name : `${name} (${earlier + 1})`;
  });
}
