import type { Finding } from "@/server/judging/judge";
import type { Reference } from "@/server/judging/schema";

/** Length of a shared run of letters, digits and spaces that counts as a quotation. */
const RUN_LENGTH = 24;

/** Bits of the filter for each run, as a power of two. `includes` rules out its false positives. */
const BITS_PER_RUN = 4;
/** The largest filter has 2 MiB, enough for a million runs. */
const MAX_FILTER_BITS = 24;
const BASE = 0x01000193;
/** `BASE` to the power of `RUN_LENGTH - 1`, in 32-bit arithmetic. */
const LEADING_POWER = Array<number>(RUN_LENGTH - 1)
  .fill(BASE)
  .reduce((power, base) => Math.imul(power, base));

/**
 * Lists the texts of a reference solution. It is private too: later work on the same task is judged
 * against it.
 */
export const listReferenceTexts = ({ keyPoints, examples }: Reference): string[] => [
  ...keyPoints,
  ...examples.flatMap(({ call, expected }) => [call, expected]),
];

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
  const filterBits = Math.min(
    MAX_FILTER_BITS,
    Math.ceil(Math.log2(text.length + 8)) + BITS_PER_RUN,
  );
  const toBit = (hash: number) => (hash ^ (hash >>> 15)) >>> (32 - filterBits);
  const filter = new Uint8Array(2 ** (filterBits - 3));
  forEachRun(text, (run) => {
    const bit = toBit(run);
    filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
  });
  const isPrivate = (run: string) => text.includes(run);

  const isQuotedIn = (sentence: string): boolean => {
    if (extractQuotations(sentence).some(isPrivate)) return true;
    const words = toPlainText(sentence);
    let found = false;
    forEachRun(words, (run, at) => {
      const bit = toBit(run);
      if (found || !((filter[bit >>> 3] ?? 0) & (1 << (bit & 7)))) return;
      found = isPrivate(words.slice(at, at + RUN_LENGTH));
    });
    return found;
  };
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

/** Calls `visit` with the hash and the start of every run (Rabin and Karp, 1987). */
function forEachRun(text: string, visit: (hash: number, at: number) => void): void {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    if (at >= RUN_LENGTH)
      hash = (hash - Math.imul(text.charCodeAt(at - RUN_LENGTH), LEADING_POWER)) | 0;
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
    if (at >= RUN_LENGTH - 1) visit(hash, at - RUN_LENGTH + 1);
  }
}

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

/**
 * Adds to each finding its public text and note, unless it has them. They are null if they repeat a
 * private text.
 * Pure; may be slow for long texts.
 */
export function addShownWords(findings: Finding[], privateTexts: readonly string[]): Finding[] {
  const index = indexPrivateTexts(privateTexts);
  return findings.map((finding) => {
    const { text, note, shown } = finding;
    if (shown) return finding;
    return {
      ...finding,
      shown: {
        text: index.isQuotedIn(text) ? null : text,
        note: note === undefined || index.isRevealedIn(note) ? null : note,
      },
    };
  });
}
