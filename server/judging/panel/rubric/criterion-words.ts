/** Words that say nothing about the subject of a criterion. */
const EMPTY_WORDS = new Set(
  "a an and any are as at be been by can contain contains does each every for from give gives has have how if in include includes including into is it its least mention mentions more most must no not of on one only or other provide provides same should so state states such than that the their there they this to use uses what when where which while who whose with without all answer deliverable document output piece response result task text work"
    .split(" ")
    .map(stem),
);

/** Returns the stemmed words of an English text that carry its subject, each once. */
export function listContentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map(stem))].filter((word) => !EMPTY_WORDS.has(word));
}

/** Strips the most common English endings, enough to match two wordings of one demand. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ies|ied|ed|es|s|e|y|ly)$/u, "") : word;
}

/** Share of the shorter text's content words that both texts have, from 0 to 1. */
export const computeOverlap = (a: string, b: string): number => compareWords(a, b, Math.min);

/** Share of the longer text's content words that both texts have, from 0 to 1. */
export const computeSimilarity = (a: string, b: string): number => compareWords(a, b, Math.max);

function compareWords(a: string, b: string, choose: (a: number, b: number) => number): number {
  const [first, second] = [listContentWords(a), listContentWords(b)];
  const size = choose(first.length, second.length);
  if (size === 0) return a === b ? 1 : 0;
  const other = new Set(second);
  return first.filter((word) => other.has(word)).length / size;
}

/**
 * Criteria that almost any text meets. Adverbs and the subject ("The response …") are removed
 * before matching.
 */
const VACUOUS =
  /^(?:(?:is|be|are|seems|remains) (?:not )?(?:relevant|helpful|useful|good|clear|coherent|appropriate|well[- ]written|written|readable|understandable|concise|on[- ]topic|high[- ]quality|of (?:high|good) quality|empty|blank|present|provided|given|easy to (?:read|understand|follow))(?: (?:and|or|,) ?[a-z -]{1,30})?(?: (?:to|for|with|of) (?:the |its |this )?(?:task|prompt|question|request|topic|reader|user|audience))?|(?:contains?|has|includes?|consists of|provides?|gives?|offers?) (?:some |any |an? |the )?(?:text|words?|content|sentences?|answer|response|output|deliverable|information)|(?:answers?|addresses|responds? to|fulfil?ls?|meets?|satisfy|satisfies|completes?|follows?|does) (?:the |this |all )?(?:task|prompt|question|request|instructions?|requirements?|user|order)(?: (?:as )?(?:given|asked|requested|stated))?|makes sense|exists)$/;
const SUBJECT =
  /^(?:the |this |its )?(?:response|answer|output|deliverable|work|text|result|submission|solution|document|it) (?:must |should |shall |has to |needs to )?/;
const ADVERBS =
  /\b(?:fully|clearly|properly|well|correctly|completely|directly|generally|overall|actually|at least)\b ?/g;

/** Returns whether almost any text meets the criterion, so that it proves nothing. */
export function isVacuous(text: string): boolean {
  const words = text
    .toLowerCase()
    .replace(/[.!]+$/, "")
    .trim();
  const predicate = words.replace(SUBJECT, "").replace(ADVERBS, "").trim();
  return predicate === "" || VACUOUS.test(predicate);
}

/** Criteria on unrelated subjects, worded like those of a rubric. */
export const CONTROL_CRITERIA = [
  "Explains how to prune an apple tree in winter",
  "Gives a recipe for sourdough rye bread",
  "Describes the rules of curling",
  "Names the stops of a tram line in Lisbon",
  "Explains how to tune a violin by ear",
  "Lists the opening hours of a public swimming pool",
  "Describes how beeswax candles are made",
  "Explains how to change the inner tube of a bicycle",
  "Gives the knitting pattern of a woollen scarf",
  "Describes the markings of the barn owl",
] as const;

/**
 * Returns the criteria that none of `texts` touches on, so that an attentive vote answers "no". A
 * vote that answers "yes" follows something other than the work, in whatever language or encoding
 * that is written. Pure; may be slow for long texts.
 */
export function listUnrelatedCriteria(texts: readonly string[]): string[] {
  const words = new Set(texts.flatMap(listContentWords));
  return CONTROL_CRITERIA.filter((text) => {
    const own = listContentWords(text);
    return own.filter((word) => words.has(word)).length * 2 < own.length;
  });
}
