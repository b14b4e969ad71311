import {
  condenseSpace,
  isBoldLine,
  isChatter,
  isHeading,
  type ListItem,
  listBlocks,
  listItems,
  listLines,
  replaceFencedBlocks,
  selectTopLevel,
} from "@/server/judging/checks/text/layout";
import { UNSPACED_SCRIPTS } from "@/server/judging/checks/text/scripts";

/** The lowest and the highest sensible count of something. */
export interface CountRange {
  low: number;
  high: number;
}

export type CountedUnit = "words" | "characters" | "sentences" | "bullet-points";

/**
 * Returns every sensible way of counting a unit in a deliverable, the most natural first; empty if it
 * cannot be counted.
 */
export function countUnits(unit: CountedUnit, deliverable: string): CountRange[] {
  const text = condenseSpace(deliverable);
  switch (unit) {
    case "words":
      return countWords(text);
    case "characters":
      return countCharacters(text);
    case "sentences":
      return countSentences(text);
    case "bullet-points":
      return countBulletPoints(text);
  }
}

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "gu");

/** Counts words with and without headings, greetings, notes, tables, code, links and figures. */
function countWords(text: string): CountRange[] {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if ((text.match(UNSPACED)?.length ?? 0) * 5 > letters) return [];
  const countSpaced = (part: string, isWord: RegExp) =>
    part.split(/\s+/).filter((word) => isWord.test(word)).length;
  const body = omitFrame(replaceFencedBlocks(text, " "))
    .replace(/^[ \t]*\|.*$/gm, " ")
    .replace(/<[^>\n]{1,200}>|https?:\/\/\S+/g, " ")
    .replace(/\([^()\n]{1,300}\)/g, " ");
  const counts = [
    countSpaced(text, /[\p{L}\p{N}]/u),
    countSpaced(body, /\p{L}/u),
    // The way of counting that splits "don't" and "well-known" in two.
    text.match(/[\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0,
    text.match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu)?.length ?? 0,
  ];
  return [{ low: Math.min(...counts), high: Math.max(...counts) }];
}

const MAX_FRAME_WORDS = 8;

/** Omits headings, talk around the work, and short first and last lines such as a greeting. */
function omitFrame(text: string): string {
  const lines = listLines(text).filter(
    (line) => !isHeading(line) && !isBoldLine(line) && !isChatter(line),
  );
  const isShort = (line = "") => line.split(/\s+/).length <= MAX_FRAME_WORDS;
  while (lines.length > 1 && isShort(lines[0])) lines.shift();
  while (lines.length > 1 && isShort(lines.at(-1))) lines.pop();
  return lines.join("\n");
}

function countCharacters(text: string): CountRange[] {
  const body = omitFrame(text).replace(/[*_#`>\s]/g, "");
  return [{ low: Math.min([...body].length, [...text].length), high: text.length }];
}

const ABBREVIATION =
  /\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|eg|ie|inc|ltd|co|corp|no|fig|approx|max|min|jr|sr|dept|est|u\.s|u\.k|a\.m|p\.m|vol|ed|cf|al|ph\.d|[a-z])\.$/i;
const SENTENCE_END = /(?:[.!?…]+|[。！？])["'”’)\]*_]*(?=\s|$)|[。！？]/gu;

/** Counts sentences: at least the ends that are certain, at most every end, line and fragment. */
function countSentences(text: string): CountRange[] {
  let low = 0;
  let high = 0;
  for (const line of listLines(replaceFencedBlocks(text, ""))) {
    const ends = [...line.matchAll(SENTENCE_END)];
    const unquoted = line.replace(/"[^"\n]{1,600}"|“[^“”\n]{1,600}”|\([^()\n]{1,600}\)/g, (part) =>
      part.replace(/[.!?…。！？]/g, "_"),
    );
    const certain = ends.filter(({ index }) => isCertainEnd(unquoted, index));
    const last = ends.at(-1);
    const isOpen = !last || /[\p{L}\p{N}]/u.test(line.slice(last.index + last[0].length));
    const isTitle = isHeading(line) || isBoldLine(line) || isChatter(line);
    low += isTitle ? 0 : certain.length;
    high += ends.length + (isOpen ? 1 : 0) + (line.match(/;/g)?.length ?? 0);
  }
  // A text without punctuation has as many sentences as lines.
  return [{ low: low === 0 ? Math.min(1, high) : low, high: Math.max(low, high) }];
}

/** Returns whether a sentence ends here beyond doubt: not an abbreviation, a quotation or a number. */
function isCertainEnd(line: string, at: number): boolean {
  const mark = /^(?:[.!?…]+|[。！？])/u.exec(line.slice(at))?.[0];
  if (!mark) return false;
  const rest = line.slice(at + mark.length).replace(/^["'”’)\]*_]+/, "");
  const after = rest.trimStart().slice(0, 2);
  if (/^(?:…|\.{2,})/.test(mark)) return after === "";
  if (/^[\s*_#]*\(?(?:\d{1,3}|[a-z])[.)]$/i.test(line.slice(0, at + 1))) return false;
  if (ABBREVIATION.test(line.slice(Math.max(0, at - 8), at + 1))) return after === "";
  return after === "" || !/^[\p{Ll}\d,;)]/u.test(after);
}

/** Counts items of all lists, of the outermost level and of one kind; without a list, lines and paragraphs. */
function countBulletPoints(text: string): CountRange[] {
  const items = listItems(text);
  const counts = items.length > 0 ? countItems(items) : countParts(text);
  return [...new Set(counts)].map((count) => ({ low: count, high: count }));
}

function countItems(items: readonly ListItem[]): number[] {
  const bullets = items.filter(({ isNumbered }) => !isNumbered);
  const numbered = items.filter(({ isNumbered }) => isNumbered);
  return [items, selectTopLevel(items), bullets, selectTopLevel(bullets), numbered]
    .map(({ length }) => length)
    .filter((count, index) => index === 0 || count > 0);
}

function countParts(text: string): number[] {
  const lines = listLines(text);
  const plain = lines.filter((line) => !isHeading(line) && !isBoldLine(line) && !isChatter(line));
  const blocks = listBlocks(text).length;
  return [plain.length, lines.length, blocks, plain.length - 1, blocks - 1].filter(
    (count) => count > 0,
  );
}
