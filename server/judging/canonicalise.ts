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

/** Nothing a reader could see: white space, controls and unassigned characters, blank Braille. */
const BLANK = /^[\s\p{C}\p{Z}\u2800]*$/u;

export interface Canonical {
  /** What is judged: unseen characters and piles of marks out, Unicode in NFKC. */
  text: string;
  /** SHA-256 of the text as it came. */
  rawHash: `0x${string}`;
  /** SHA-256 of `text`. */
  textHash: `0x${string}`;
  /** Unseen characters were taken out that no writing needs. */
  hidesText: boolean;
}

/** The text as judges read it, with the hashes of both forms. */
export function canonicalise(raw: string): Canonical {
  const seen = withoutUnseen(raw).replace(PILED_MARKS, "$1");
  const text = withoutUnseen(seen.normalize("NFKC")).replace(PILED_MARKS, "$1");
  return { text, rawHash: sha256(raw), textHash: sha256(text), hidesText: hidesText(raw) };
}

/** `text` without characters that a reader does not see. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}

function hidesText(raw: string): boolean {
  return (raw.match(UNSEEN)?.length ?? 0) > (raw.match(UNSEEN_IN_USE)?.length ?? 0);
}

/** Whether `raw` holds nothing visible once it is canonical. */
export function isBlank(raw: string): boolean {
  return BLANK.test(canonicalise(raw).text);
}
