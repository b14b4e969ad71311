/** Characters that an excerpt has on each side of the matching word. */
const CONTEXT = 40;

/**
 * Returns the part of a description around the word most like one of `words`. It shows why a search found
 * the agent. Returns undefined if a word of the name is as similar, or if no word is similar.
 */
export function findMatch(words: string[], name: string, description: string): string | undefined {
  const own = findMostAlike(words, description);
  if (own.likeness <= findMostAlike(words, name).likeness) return undefined;
  const start = Math.max(0, own.index - CONTEXT);
  const end = own.index + own.length + CONTEXT;
  const space = description.indexOf(" ", start);
  const from = start === 0 || space < 0 || space > own.index ? start : space + 1;
  const to = end >= description.length ? description.length : description.lastIndexOf(" ", end);
  const excerpt = description.slice(from, Math.max(to, own.index + own.length));
  return `${from > 0 ? "…" : ""}${excerpt.replaceAll(/\s+/g, " ")}${to < description.length ? "…" : ""}`;
}

function findMostAlike(words: string[], text: string) {
  let best = { index: 0, length: 0, likeness: 0 };
  for (const { 0: found, index } of text.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
    const likeness = Math.max(0, ...words.map((word) => compare(word, found.toLowerCase())));
    if (likeness > best.likeness) best = { index, length: found.length, likeness };
  }
  return best;
}

/** Returns the share of a word's trigrams that another word has; 1 if it is a part of it. */
function compare(word: string, other: string): number {
  if (other.includes(word)) return 1;
  const others = listTrigrams(other);
  const own = listTrigrams(word);
  return own.filter((trigram) => others.includes(trigram)).length / own.length;
}

const listTrigrams = (word: string) =>
  Array.from({ length: word.length + 1 }, (_, at) => `  ${word} `.slice(at, at + 3));
