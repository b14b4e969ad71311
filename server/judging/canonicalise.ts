import { sha256 } from "@/server/lib/hash";

/**
 * Characters that a model sees and a reader does not: zero-width and filler characters,
 * bidirectional controls, tags, variation selectors. They carry no content, only smuggled text.
 */
const INVISIBLE_CHARACTERS = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Invisible characters that ordinary text needs: a byte order mark at the beginning, emoji
 * variation selectors and joiners, and joiners between letters of scripts that use them.
 */
const LEGITIMATE_INVISIBLE_CHARACTERS =
  /^\uFEFF|[\uFE0E\uFE0F]|\u200D(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?\u200D)(?=\p{Extended_Pictographic})|[\u200C\u200D](?<=[\p{L}\p{M}].)(?<!\p{Script=Latin}.)/gu;

/**
 * More combining marks on one letter than any script uses (30, as in the Stream-Safe Text Format of
 * UAX #15). Unicode's canonical ordering is quadratic in their number: half a million would block
 * the process.
 */
const EXCESS_MARKS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * A visible character: not white space, control, unassigned or blank Braille. NFKC never turns an
 * invisible character into a visible one, or vice versa.
 */
const VISIBLE = /[^\s\p{C}\p{Z}\u2800\p{Default_Ignorable_Code_Point}]/u;

/**
 * Maximum growth factor under NFKC, in UTF-16 units. NFKC expands U+FDFA to 18 letters and some
 * squared words to five or six; no honest text doubles in length.
 */
const MAX_GROWTH_FACTOR = 2;
const GROWTH_ALLOWANCE = 1_000;

/** A text in the form that judges read. Only `canonicalise` creates it. */
export type CanonicalText = string & { readonly isCanonical: true };

export interface CanonicalForm {
  /** Without invisible characters and excess marks, in NFKC unless `exceedsGrowthLimit`. */
  text: CanonicalText;
  /** SHA-256 of `text`. */
  hash: `0x${string}`;
  /** Whether invisible characters that no script needs were removed. */
  hasHiddenText: boolean;
  /** Whether NFKC would exceed the growth limit; the text is then judged without NFKC. */
  exceedsGrowthLimit: boolean;
}

/**
 * Returns the canonical text, which judges read, and its hash. Takes up to half a second for the
 * longest texts, so run it in a worker thread.
 */
export function canonicalise(raw: string): CanonicalForm {
  const visible = removeInvisible(raw).replace(EXCESS_MARKS, "$1");
  const compatible = normaliseWithinLimit(visible);
  const text =
    compatible === null ? visible : removeInvisible(compatible).replace(EXCESS_MARKS, "$1");
  return {
    text: text as CanonicalText,
    hash: sha256(text),
    hasHiddenText: hasHiddenText(raw),
    exceedsGrowthLimit: compatible === null,
  };
}

/** Returns `text` in NFKC, or null if that would exceed the growth limit. */
export function normaliseWithinLimit(text: string): string | null {
  const compatible = text.normalize("NFKC");
  return compatible.length > text.length * MAX_GROWTH_FACTOR + GROWTH_ALLOWANCE ? null : compatible;
}

export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, "");
}

function hasHiddenText(raw: string): boolean {
  return (
    (raw.match(INVISIBLE_CHARACTERS)?.length ?? 0) >
    (raw.match(LEGITIMATE_INVISIBLE_CHARACTERS)?.length ?? 0)
  );
}

/** Returns whether `raw` has no visible character. Stops at the first one it finds. */
export function isBlank(raw: string): boolean {
  return !VISIBLE.test(raw);
}

/** Returns `text` without NUL and unpaired surrogates, which Postgres rejects. */
export function toStorableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
