/** Matches a character of the scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const EVERY_UNSPACED = new RegExp(UNSPACED, "gu");

/** Returns whether a text has characters of scripts without spaces between words. */
export const hasUnspaced = (text: string): boolean => UNSPACED.test(text);

export const countUnspaced = (text: string): number => text.match(EVERY_UNSPACED)?.length ?? 0;
