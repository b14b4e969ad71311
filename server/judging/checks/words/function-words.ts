/**
 * Frequent words of languages by ISO 639-3 code. They distinguish languages in texts that are too
 * short for statistics.
 */
// cspell:disable
const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    eng: "the and of is are with that this you your we our from have has be not which they their were by would it its to",
    spa: "el los las una del que para con está son más como pero sus nuestro nuestra muy también y al lo su por",
    fra: "le les des une du est et pour avec dans vous nous votre notre sur pas qui aux cette sont il elle au ce",
    deu: "der das und ist nicht ein eine einen mit für auf den dem wir ihr auch sich von zu im zur zum sind wird",
    ita: "il gli della di che per con una sono nel nella è più anche questo questa del dei al",
    por: "o os um uma do da dos das em para com não você seu sua são mais também e é ao no na",
    nld: "het een en van niet dat voor met zijn op aan ook wij uw bij naar deze wordt",
  }).map(([code, words]) => [code, new Set(words.split(" "))]),
);
// cspell:enable

/** A language needs this share of the words; two of them suffice in a text of a few words. */
const MIN_SHARE = 0.15;
const MIN_SHARE_OF_FEW = 0.3;
const MIN_WORDS = 3;
/** The required language may have this share of the words and still be absent. */
const MAX_OWN_SHARE = 0.05;

/**
 * Returns whether the function words of another language prevail and those of the required one are
 * absent. `similar` languages are not compared.
 */
export function hasForeignFunctionWords(
  text: string,
  required: string,
  similar: readonly string[],
): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const count = (code: string) => words.filter((word) => FUNCTION_WORDS[code]?.has(word)).length;
  if (words.length < MIN_WORDS || count(required) > words.length * MAX_OWN_SHARE) return false;
  // Other languages share words with these: "do", "na" and "o" are Polish as well as Portuguese.
  const others = required in FUNCTION_WORDS ? Object.keys(FUNCTION_WORDS) : ["eng"];
  return others.some((code) => {
    if (code === required || similar.includes(code)) return false;
    if (code === "eng" && !words.some((word) => /^(?:the|and|this|you)$/.test(word))) return false;
    const share = count(code) / words.length;
    return count(code) >= 3 ? share >= MIN_SHARE : count(code) === 2 && share >= MIN_SHARE_OF_FEW;
  });
}
