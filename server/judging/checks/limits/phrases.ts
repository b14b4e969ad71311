import { hasUnspaced } from "@/server/judging/checks/text/scripts";

/** Folds what readers don't distinguish: case, quotation marks, hyphens, emphasis, white space. */
export const foldPhrase = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[‐-―−]/g, "-")
    .replace(/[‘’‛`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[*_~`]/g, "")
    .replace(/\s+/g, " ")
    .trim();

const toLoose = (text: string) => foldPhrase(text).replace(/[- ]+/g, "");

const isPunctuation = (phrase: string) => !/[\p{L}\p{N}]/u.test(phrase);

/** Returns whether a phrase occurs anywhere, even within longer words or in another spelling. */
export const containsPhrase = (text: string, phrase: string): boolean =>
  isPunctuation(phrase) ? text.includes(phrase) : toLoose(text).includes(toLoose(phrase));

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;
/** Marks around a word that is mentioned rather than used. */
const QUOTATION_MARK = /["'`]/;

/**
 * Counts occurrences of a phrase as separate words. Leaves out those within longer or hyphenated
 * words and those in quotation marks, which mention the phrase. A phrase in capitals, such as "US", is
 * not the same in lower case. One of punctuation is counted wherever it occurs.
 */
export function countSeparate(text: string, phrase: string): number {
  if (isPunctuation(phrase)) return text.split(phrase).length - 1;
  const isExact = /^[A-Z]{1,4}$/.test(phrase);
  const [folded, wanted] = isExact ? [text, phrase] : [foldPhrase(text), foldPhrase(phrase)];
  if (wanted === "") return 0;
  let count = 0;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const before = folded.slice(Math.max(0, at - 2), at);
    const after = folded.slice(at + wanted.length, at + wanted.length + 2);
    const isMentioned = QUOTATION_MARK.test(before.at(-1) ?? "") && QUOTATION_MARK.test(after);
    const isPart = adjoins(before.at(-1), before.at(-2)) || adjoins(after[0], after[1]);
    if (!isMentioned && (hasUnspaced(wanted) || !isPart)) count += 1;
  }
  return count;
}

const adjoins = (near = "", far = ""): boolean =>
  WORD_CHARACTER.test(near) || (/[-']/.test(near) && WORD_CHARACTER.test(far));

const toWords = (text: string) =>
  foldPhrase(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
/** Last lines that may follow an ending, such as a signature or a note. */
const MAX_LAST_LINES = 6;

/**
 * Returns whether a text ends with a phrase, whatever its case and punctuation; null if only one of
 * its last lines does.
 */
export function endsWithPhrase(text: string, phrase: string): boolean | null {
  const wanted = toWords(phrase);
  const lines = text
    .slice(-(phrase.length * 3 + 3_000))
    .split("\n")
    .filter((line) => line.trim() !== "");
  const tail = toWords(text.slice(-(phrase.length * 3 + 500)));
  if (tail.endsWith(wanted)) return true;
  return lines.slice(-MAX_LAST_LINES).some((line) => toWords(line).endsWith(wanted)) ? null : false;
}

const MIN_REPEATED_CHARACTERS = 25;

/**
 * Returns the deliverable without a repetition of the task at its start, whose words were not the
 * contractor's choice.
 */
export function omitRepeatedTask(task: string, text: string): string {
  let matched = 0;
  let end = 0;
  let inTask = 0;
  let inText = 0;
  while (inTask < task.length && inText < text.length) {
    const expected = task[inTask] ?? "";
    const found = text[inText] ?? "";
    if (!WORD_CHARACTER.test(expected)) inTask += 1;
    else if (!WORD_CHARACTER.test(found)) inText += 1;
    else if (expected.toLowerCase() === found.toLowerCase()) {
      inTask += 1;
      inText += 1;
      matched += 1;
      end = inText;
    } else break;
  }
  return text.slice(matched >= MIN_REPEATED_CHARACTERS ? end : 0);
}
