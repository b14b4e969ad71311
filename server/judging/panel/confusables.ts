/**
 * Letters of other scripts that look like Latin ones, after Unicode's table of confusables (UTS
 * #39), as far as words can be written with them and NFKC leaves them alone. Each is one code unit,
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
/** Some look-alikes are Latin letters themselves, of Turkish or of phonetic script. */
const FOREIGN = anyOf([...LATIN.keys()].filter((letter) => !/\p{Script=Latin}/u.test(letter)));

/** `text` with look-alikes as the Latin letters they look like; for detection only. */
export function foldConfusables(text: string): string {
  return text.replace(ANY, (letter) => LATIN.get(letter) ?? letter);
}

/** Whether a word mixes Latin letters with others that look Latin: no keyboard does that by itself. */
export function hasConfusables(text: string): boolean {
  // Hardly any text holds such letters at all.
  if (text.search(FOREIGN) < 0) return false;
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => /\p{Script=Latin}/u.test(word) && word.search(FOREIGN) >= 0);
}
