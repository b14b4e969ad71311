/**
 * Embeddings, overrides and isolates with their terminators (UAX #9, section 2), which reorder the
 * text after them. The marks U+061C, U+200E and U+200F are not included: they reorder nothing, and
 * Arabic and Hebrew need them.
 */
const BIDI_CONTROLS = "\\u202A-\\u202E\\u2066-\\u2069";

const EVERY_BIDI_CONTROL = new RegExp(`[${BIDI_CONTROLS}]`, "gu");
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

const FIRST_STRONG_ISOLATE = "\u2068";
const POP_DIRECTIONAL_ISOLATE = "\u2069";

/** Returns `text` without the characters that could end an isolate around it. Keeps line breaks. */
export function removeBidiControls(text: string): string {
  return text.replace(EVERY_BIDI_CONTROL, "");
}

/**
 * Returns untrusted text for use inside a sentence of plain text, such as a page title: on one
 * line, and isolated so that its writing direction does not affect the words around it. In HTML,
 * use `UntrustedText`.
 */
export function isolateText(text: string): string {
  const line = removeBidiControls(text).replace(LINE_BREAKS, " ");
  return `${FIRST_STRONG_ISOLATE}${line}${POP_DIRECTIONAL_ISOLATE}`;
}
