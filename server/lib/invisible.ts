/** Characters between which scripts and emoji need joiners. */
const JOINED = "\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}";

/**
 * Matches characters that are not seen but read by programs, so they can hide text: formats, tags,
 * fillers and variation selectors. A single joiner between letters or emoji, and the selector of an
 * emoji, stay.
 */
const INVISIBLE = new RegExp(
  `(?<![${JOINED}])[\\u200C\\u200D]|[\\u200C\\u200D](?![${JOINED}])` +
    "|(?<!\\p{Emoji})[\\uFE0E\\uFE0F]" +
    "|(?![\\u200C\\u200D\\uFE0E\\uFE0F])[\\p{Cf}\\p{Default_Ignorable_Code_Point}]",
  "gu",
);
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Returns the code point of the first invisible character, such as `U+200B`, or null. */
export function findInvisible(text: string): string | null {
  const [found] = text.match(INVISIBLE) ?? [];
  return found === undefined ? null : formatCodePoint(found);
}

/** Returns `text` without invisible characters and without controls other than tabs and line feeds. */
export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, "").replace(CONTROLS, "");
}

/** Returns the code point of a character as Unicode writes it. */
export function formatCodePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, "0")}`;
}
