import { CATEGORIES, type Category } from "@/server/lib/schema";

/**
 * Returns the categories that a search means: each of its words begins a word of the category, in any
 * form, as in "code review" or "reviewing".
 */
export function findCategories(q: string): Category[] {
  const words = splitWords(q).map(toStem);
  if (words.length === 0) return [];
  return CATEGORIES.filter((category) => {
    const own = splitWords(category);
    return words.every((word) => own.some((one) => one.startsWith(word) || toStem(one) === word));
  });
}

/** Returns the words of at least three letters, in lower case. */
export const splitWords = (text: string) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** Most words of a search that are compared with others. */
const MAX_COMPARED = 5;

/** Returns the first different words of a search, to compare each with those of texts. */
export const listComparedWords = (q: string) => [...new Set(splitWords(q))].slice(0, MAX_COMPARED);

/** Removes the ending of an English word, so that its forms are equal. */
export const toStem = (word: string) => word.replace(/(?<=\p{L}{3})(?:(?:ing|er)s?|ed|es|s)$/u, "");
