import { listContentWords } from "@/server/judging/panel/rubric/criterion-words";

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
