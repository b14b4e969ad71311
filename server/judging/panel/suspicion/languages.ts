/**
 * Common short words by language. Three of them in a line, and more than of the languages of task
 * and work, mean that the line is in that language.
 */
const COMMON_WORDS: Record<string, string> = {
  en: "the of and to is in that it for with are be this on not you all by an or as at from was were has have had but they their we he she his her its if so no one do does can will when what who how than then me my your our up out before",
  de: "der die das und ist nicht ein eine zu den von mit wer sich auf für als jede jeden alle wird bitte",
  fr: "le la les des et est un une que qui pas pour dans ce cette chaque tous au du sur il vous oui ceci",
  es: "todo como favor el la los las es un quien lea una que no por para con cada todos se del este esto",
  pt: "tudo como os as um uma que não por para com cada todos do da este isto se em",
  it: "tutto come grazie il la gli le un una che non per con ogni tutti di del della dell questo chi",
  nl: "alles als gelieve de het een en is niet van dat op te voor met elk alle die wie zijn dit",
  pl: "proszę wszystko za nie na to że się do jest kto każdy każde wszystkie po od jako",
  sv: "och att det är som en ett på av för inte den alla varje till med",
  tr: "bir ve bu her için ile de da tüm olan olarak gibi şey şeyi bunu bunun",
  vi: "vui lòng cho mọi là và của các có cho không được tất cả một người này mọi trả về",
};
const WORDS_OF = Object.entries(COMMON_WORDS).map(
  ([language, words]) => [language, new Set(words.split(" "))] as const,
);
const MIN_COMMON_WORDS = 3;
/** A line of at most this many words needs only two. */
const MAX_SHORT_LINE = 6;
const SCRIPTS = [
  "Han",
  "Hiragana",
  "Hangul",
  "Cyrillic",
  "Arabic",
  "Devanagari",
  "Greek",
  "Hebrew",
  "Thai",
];
const SCRIPT_PATTERNS = SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, "gu"));
/** Letters of a script that make a sentence. Chinese ones are short. */
const MIN_SCRIPT_LETTERS = 8;
const SPEAKS_OF_LANGUAGES =
  /translat|languages|übersetz|tradu|перев|翻译|번역|english|german|french|spanish|italian|portuguese|polish|dutch|swedish|turkish|russian|chinese|japanese|korean|arabic|hindi|greek|vietnamese|bilingual/i;

/** Finds lines in a language that neither the task nor most of the work uses. */
export function createForeignCheck(task: string, text: string): (line: string) => boolean {
  if (SPEAKS_OF_LANGUAGES.test(task)) return () => false;
  const usual = new Set([findLanguage(task), findLanguage(text)]);
  const scripts = SCRIPT_PATTERNS.filter(
    (script) =>
      countMatches(task, script) === 0 && countMatches(text, script) * 2 < countLetters(text),
  );
  return (line) => {
    if (scripts.some((script) => countMatches(line, script) >= MIN_SCRIPT_LETTERS)) return true;
    const language = findLanguage(line);
    return language !== null && !usual.has(language);
  };
}

/** Returns the number of letters and digits. */
export const countLetters = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

const countMatches = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Returns the language with the most common words, or null if there are too few. */
function findLanguage(text: string): string | null {
  const { language, count, of, second } = countCommonWords(text);
  const isClear = count >= MIN_COMMON_WORDS || (count === 2 && of <= MAX_SHORT_LINE);
  return isClear && count > second ? language : null;
}

/** Returns whether a line has the common words that a sentence of some length cannot do without. */
export function isReadable(line: string): boolean {
  const { count, of } = countCommonWords(line);
  return count >= 2 && of > MIN_COMMON_WORDS && count * 4 >= of;
}

export function countCommonWords(text: string) {
  const words = text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  const distinct = [...new Set(words)];
  const counts = WORDS_OF.map(([language, common]) => ({
    language,
    count: distinct.filter((word) => common.has(word)).length,
  })).toSorted((a, b) => b.count - a.count);
  const [first, second] = counts;
  return {
    language: first?.language ?? null,
    count: first?.count ?? 0,
    second: second?.count ?? 0,
    of: words.length,
  };
}
