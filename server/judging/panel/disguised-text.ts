const BASE64 = /[A-Za-z0-9+/_-]{16,4000}={0,2}/g;
const HEX = /(?:[0-9a-f]{2}[\s:]?){12,2000}/gi;
const PERCENT = /(?:%[0-9a-f]{2}|[\w.+-]){12,4000}/gi;
const CHARACTER_REFERENCES = /(?:&#x?[0-9a-f]{1,6};|[\w ]){12,4000}/gi;
/** Fewer escaped characters in one passage are usual in links and in HTML. */
const MIN_SIGNS = 4;
/** Addresses of pages may contain encoded words. */
const URLS = /https?:\/\/\S+/g;

/**
 * Returns whether `text` contains words, of any language, in an encoding of bytes or characters.
 * People do not read such words, but a model may. Pure; may be slow for long texts.
 */
export const hasEncodedText = (text: string): boolean =>
  decodePassages(text.replace(URLS, " ")).some(
    (reading) =>
      /^[\p{L}\p{M}\p{N}\s\p{P}]{12,}$/u.test(reading) &&
      /\p{L}{2}.{0,4}\s\p{L}|[^\p{Script=Latin}\P{L}]{6}/u.test(reading),
  );

function decodePassages(text: string): string[] {
  const find = (pattern: RegExp, sign?: string) =>
    (text.match(pattern) ?? []).filter(
      (run) => sign === undefined || run.split(sign).length > MIN_SIGNS,
    );
  return [
    ...find(BASE64).map((run) => toReadable(Buffer.from(run, "base64"))),
    ...find(HEX).map((run) => toReadable(Buffer.from(run.replace(/[\s:]/g, ""), "hex"))),
    ...find(PERCENT, "%").map(decodePercent),
    ...find(CHARACTER_REFERENCES, "&#").map(decodeCharacterReferences),
  ];
}

/** Returns the bytes as text, or nothing if they are not text. */
function toReadable(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return /[\uFFFD\p{Cc}]/u.test(text.replace(/[\n\r\t]/g, "")) ? "" : text;
}

function decodePercent(run: string): string {
  try {
    return decodeURIComponent(run.replaceAll("+", " "));
  } catch {
    return "";
  }
}

const decodeCharacterReferences = (run: string) =>
  run.replace(/&#(x?)([0-9a-f]{1,6});/gi, (_, hex: string, code: string) => {
    const point = Number.parseInt(code, hex ? 16 : 10);
    return point < 0x110000 ? String.fromCodePoint(point) : "";
  });

/**
 * Letters of other scripts that look like Latin ones, from Unicode's table of confusables (UTS
 * #39). Limited to letters that form words and that NFKC leaves unchanged.
 */
const FOREIGN_LOOKALIKE =
  /[аαЬсϲԁеҽցһհіιјϳκкӏոоοօрρԛգгᴦѕтτυսνѵԝѡաхχуүγАΑВΒСϹЕΕНΗІΙӀЈͿКΚМΜΝОΟՕРΡЅՏТΤՍХΧҮΥΖ]/u;

/** Returns whether a word mixes Latin letters with look-alikes, which no keyboard layout produces. */
export function hasConfusables(text: string): boolean {
  // Fast path: almost no text contains such letters.
  if (!FOREIGN_LOOKALIKE.test(text)) return false;
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(
    (word) => FOREIGN_LOOKALIKE.test(word) && /\p{Script=Latin}/u.test(word),
  );
}
