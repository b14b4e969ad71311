import fc from "fast-check";

/** Characters that break rules: invisible, combining, wide, look-alike, line breaks, markup. */
const TRICKY = [
  ..."\0\n\r\t\u0085\u00A0\u00AD\u0300\u0315\u034F\u0430\u200B\u200D\u2028\u202E",
].concat(
  [..."\u3164\uFB01\uFDFA\uFEFF\uFF9E\u{1F469}\u{E0041}"],
  [...`<>{}[]"'\\/|#*-_=.,:;!?&%$@~ aZ09`, "```"],
);

const character = fc.oneof(
  fc.constantFrom(...TRICKY),
  fc
    .nat(0x10ffff)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code)),
);

/**
 * Generates text of whole characters. The library's "binary" unit takes seconds to set up per file.
 */
export const anyText = (limits: { maxLength?: number } = {}) =>
  fc.string({ unit: character, ...limits });
