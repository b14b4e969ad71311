/** Length of a shared run of letters, digits and spaces that counts as a quotation. */
const RUN_LENGTH = 24;

/** A shared run has at least one whole block of the text, wherever the blocks start. */
const BLOCK_LENGTH = RUN_LENGTH / 2;

/** Detects words of private texts in a sentence. */
export interface PrivateTextIndex {
  /** Returns whether `sentence` repeats a run of the texts, or puts words of theirs in quotes. */
  isQuotedIn(sentence: string): boolean;
  /** Like `isQuotedIn`, but also detects figures, addresses and identifiers of the texts. */
  isRevealedIn(sentence: string): boolean;
}

/**
 * Indexes the texts once; checking a sentence is then fast, however long the texts are. If
 * `privateTexts` is null, because they could not be searched, every sentence counts as quoting
 * them.
 */
export function indexPrivateTexts(privateTexts: readonly string[] | null): PrivateTextIndex {
  if (!privateTexts) return { isQuotedIn: () => true, isRevealedIn: () => true };
  // The line break keeps runs from spanning two texts.
  const text = privateTexts.map(toPlainText).join("\n");
  const blocks = new Set(listSlices(text, BLOCK_LENGTH, BLOCK_LENGTH));
  const isPrivate = (words: string) => text.includes(words);
  // Ruled out by its blocks, almost no run is searched for.
  const isPrivateRun = (run: string) =>
    listSlices(run, BLOCK_LENGTH, 1).some((block) => blocks.has(block)) && isPrivate(run);

  const isQuotedIn = (sentence: string): boolean =>
    extractQuotations(sentence).some(isPrivate) ||
    listSlices(toPlainText(sentence), RUN_LENGTH, 1).some(isPrivateRun);
  return {
    isQuotedIn,
    isRevealedIn: (sentence) =>
      isQuotedIn(sentence) || extractIdentifiers(sentence).some(isPrivate),
  };
}

/** Returns quotations. Longer ones have runs; without the limit, the time would be quadratic. */
function extractQuotations(sentence: string): string[] {
  const marked = sentence.matchAll(
    /["“«`]([^"”»`]{3,200})["”»`]|(?<!\p{L})['‘]([^'’]{3,200})['’]|[「『《]([^」』》]{2,200})[」』》]/gu,
  );
  return [...marked]
    .map(([, double, single, corner]) => toPlainText(double ?? single ?? corner ?? ""))
    .filter((words) => words !== "");
}

/**
 * Returns figures, addresses and identifiers: words with a digit and another character, or with an
 * inner capital, underscore or symbol. They are unlikely to occur by coincidence.
 */
function extractIdentifiers(sentence: string): string[] {
  const found = sentence.match(
    /[^\s"'(),;]{0,64}(?:\d[\d.,]*[\d%]|\d\p{L}|\p{L}\d|\p{Ll}\p{Lu}|\p{L}_|@|:\/\/)[^\s"'(),;]*/gu,
  );
  return (found ?? []).map(toPlainText).filter((word) => word.length >= 2);
}

/** Returns the slices of this length that start at every `step` characters. */
const listSlices = (text: string, length: number, step: number): string[] =>
  Array.from({ length: Math.max(0, Math.floor((text.length - length) / step) + 1) }, (_, index) =>
    text.slice(index * step, index * step + length),
  );

/**
 * In these scripts a letter is a syllable or a word and counts as three: eight form a quotation.
 */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

function toPlainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .replace(DENSE, "$&$&$&");
}
