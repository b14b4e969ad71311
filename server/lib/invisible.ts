/** Characters that a script or an emoji sequence may join with U+200C or U+200D. */
const JOINABLE = "\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}";

/**
 * Matches characters that people don't see but programs read, so they can hide text: format
 * characters, tags, fillers and variation selectors. Doesn't match a single joiner between letters
 * or emoji, nor the first selector after an emoji.
 */
const INVISIBLE_CHARACTERS = new RegExp(
  // A joiner that has nothing to join before or after it.
  `(?<![${JOINABLE}])[\\u200C\\u200D]|[\\u200C\\u200D](?![${JOINABLE}])` +
    // A text or emoji selector that follows no emoji.
    "|(?<!\\p{Emoji})[\\uFE0E\\uFE0F]" +
    // Any other invisible character.
    "|(?![\\u200C\\u200D\\uFE0E\\uFE0F])[\\p{Cf}\\p{Default_Ignorable_Code_Point}]",
  "gu",
);

/** Matches control characters other than tabs and line feeds. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]/gu;

/** Returns the code point of the first invisible character, such as `U+200B`, or null. */
export function findInvisibleCodePoint(text: string): string | null {
  const [firstMatch] = text.match(INVISIBLE_CHARACTERS) ?? [];
  return firstMatch === undefined ? null : formatCodePoint(firstMatch);
}

/** Removes invisible characters, and control characters other than tabs and line feeds. */
export function removeInvisibleAndControls(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, "").replace(CONTROL_CHARACTERS, "");
}

/**
 * Returns JSON in which the characters that `removeInvisibleAndControls` removes are written as escapes,
 * such as `\\u200b`. Its value stays the same, and nothing in it is hidden.
 */
export const escapeInvisibleInJson = (json: string): string =>
  json.replace(INVISIBLE_CHARACTERS, toEscapes).replace(CONTROL_CHARACTERS, toEscapes);

const toEscapes = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** Formats the code point of a character as Unicode does, such as `U+200B`. */
export function formatCodePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, "0")}`;
}
