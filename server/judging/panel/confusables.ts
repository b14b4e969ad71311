/**
 * Letters of other scripts that look like Latin ones, from Unicode's table of confusables (UTS
 * #39). Limited to letters that form words and that NFKC leaves unchanged. Each is one code unit,
 * so folding keeps every offset.
 */
const LOOKALIKES: Record<string, string> = {
  a: "аαɑ",
  b: "Ьƅ",
  c: "сϲ",
  d: "ԁɗ",
  e: "еҽ",
  g: "ɡց",
  h: "һհ",
  i: "іιı",
  j: "јϳ",
  k: "κк",
  l: "ӏǀ",
  n: "ոո",
  o: "оοօ",
  p: "рρ",
  q: "ԛգ",
  r: "гᴦ",
  s: "ѕꜱ",
  t: "тτ",
  u: "υս",
  v: "νѵ",
  w: "ԝѡա",
  x: "хχ",
  y: "уүγ",
  z: "ᴢ",
  A: "АΑ",
  B: "ВΒ",
  C: "СϹ",
  E: "ЕΕ",
  H: "НΗ",
  I: "ІΙӀ",
  J: "ЈͿ",
  K: "КΚ",
  M: "МΜ",
  N: "Ν",
  O: "ОΟՕ",
  P: "РΡ",
  S: "ЅՏ",
  T: "ТΤ",
  U: "Ս",
  X: "ХΧ",
  Y: "ҮΥ",
  Z: "Ζ",
};

const LATIN = new Map(
  Object.entries(LOOKALIKES).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin] as const),
  ),
);
const anyOf = (letters: string[]) => new RegExp(`[${letters.join("")}]`, "gu");
const ANY = anyOf([...LATIN.keys()]);
/** Excludes look-alikes that are Latin letters themselves, from Turkish or phonetic script. */
const FOREIGN = anyOf([...LATIN.keys()].filter((letter) => !/\p{Script=Latin}/u.test(letter)));

/** Replaces look-alikes in `text` with the Latin letters they resemble; for detection only. */
export function foldConfusables(text: string): string {
  return text.replace(ANY, (letter) => LATIN.get(letter) ?? letter);
}

/**
 * Returns whether a word mixes Latin letters with look-alikes, which no keyboard layout produces.
 */
export function hasConfusables(text: string): boolean {
  // Fast path: almost no text contains such letters.
  if (text.search(FOREIGN) < 0) return false;
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => /\p{Script=Latin}/u.test(word) && word.search(FOREIGN) >= 0);
}
