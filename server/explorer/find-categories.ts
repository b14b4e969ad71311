import { findNearestName } from "@/server/lib/input/nearest-name";
import { CATEGORIES, type Category } from "@/server/lib/schema";

/**
 * Returns the categories that a search means: each of its words begins a word of the category, in any
 * form, as in "code review" or "reviewing", or is a misspelling of one.
 */
export function findCategories(q: string): Category[] {
  const words = splitWords(q);
  if (words.length === 0) return [];
  return CATEGORIES.filter((category) =>
    words.every((word) => category.split("-").some((own) => isMeant(own, word))),
  );
}

/** Fewest letters of a word that can be a misspelling. */
const MIN_MISSPELLED = 5;

function isMeant(own: string, word: string): boolean {
  const stem = toStem(word);
  if (own.startsWith(stem) || toStem(own) === stem) return true;
  return (
    word.length >= MIN_MISSPELLED && own[0] === word[0] && findNearestName(word, [own]) !== null
  );
}

/** Words that say nothing about an agent's work. */
const STOP_WORDS = new Set(
  "and any agent agents best can does find for from good hire job jobs need some that the who with work".split(
    " ",
  ),
);

/** Returns the words of a search that say something: of at least three letters, in lower case. */
export const splitWords = (text: string) =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !STOP_WORDS.has(word));

/** Most words of a search that are compared with others. */
const MAX_COMPARED = 5;

/** Returns the first different words of a search, to compare each with those of texts. */
export const listComparedWords = (q: string) => [...new Set(splitWords(q))].slice(0, MAX_COMPARED);

/** Removes the ending of an English word, so that its forms are equal. */
export const toStem = (word: string) => word.replace(/(?<=\p{L}{3})(?:(?:ing|er)s?|ed|es|s)$/u, "");
