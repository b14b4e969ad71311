import { sha256 } from "@/server/lib/hash";

/**
 * Characters that a reader does not see and a model does: zero-width and filler characters,
 * bidirectional controls, tags, variation selectors. They carry no work, only smuggled text.
 */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Those of them that writing needs: a mark at the very beginning, the form of an emoji and what
 * joins several, joiners between letters of scripts that are written with them.
 */
const UNSEEN_IN_USE =
  /^\uFEFF|[\uFE0E\uFE0F]|\u200D(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?\u200D)(?=\p{Extended_Pictographic})|[\u200C\u200D](?<=[\p{L}\p{M}].)(?<!\p{Script=Latin}.)/gu;

/**
 * More marks on one letter than any writing has (30, as in the Stream-Safe Text Format of UAX #15).
 * Unicode's ordering of marks takes the square of their number: half a million stop the process.
 */
const PILED_MARKS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * A character that a reader sees: no white space, control, unassigned character or blank Braille.
 * NFKC makes none of one that is not, nor the other way round.
 */
const VISIBLE = /[^\s\p{C}\p{Z}\u2800\p{Default_Ignorable_Code_Point}]/u;

/**
 * Most that NFKC may lengthen a text, in UTF-16 units. It makes 18 letters of U+FDFA, and five or six
 * of some squared words; no honest text comes to twice its length by them.
 */
const MOST_GROWTH = 2;
const FREE_GROWTH = 1_000;

export interface Canonical {
  /** What is judged: unseen characters and piles of marks out, Unicode in NFKC unless `expands`. */
  text: string;
  /** SHA-256 of the text as it came. */
  rawHash: `0x${string}`;
  /** SHA-256 of `text`. */
  textHash: `0x${string}`;
  /** Unseen characters were taken out that no writing needs. */
  hidesText: boolean;
  /** NFKC would lengthen the text beyond measure: it is judged in the characters that were sent. */
  expands: boolean;
}

/**
 * Returns the text as judges read it, with the hashes of both forms. Takes up to half a second for
 * the longest texts, so it belongs into a worker thread.
 */
export function canonicalise(raw: string): Canonical {
  const seen = withoutUnseen(raw).replace(PILED_MARKS, "$1");
  const compatible = boundedNfkc(seen);
  const text = compatible === null ? seen : withoutUnseen(compatible).replace(PILED_MARKS, "$1");
  const hashes = { rawHash: sha256(raw), textHash: sha256(text) };
  return { text, ...hashes, hidesText: hidesText(raw), expands: compatible === null };
}

/** `text` in NFKC; null if that would lengthen it beyond measure. */
export function boundedNfkc(text: string): string | null {
  const compatible = text.normalize("NFKC");
  return compatible.length > text.length * MOST_GROWTH + FREE_GROWTH ? null : compatible;
}

/** `text` without characters that a reader does not see. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}

function hidesText(raw: string): boolean {
  return (raw.match(UNSEEN)?.length ?? 0) > (raw.match(UNSEEN_IN_USE)?.length ?? 0);
}

/** Whether `raw` holds nothing visible, in whatever form. Looks no further than the first character that is. */
export function isBlank(raw: string): boolean {
  return !VISIBLE.test(raw);
}
