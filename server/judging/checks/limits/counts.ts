import {
  countCodePoints,
  countListItems,
  countSentences,
  countWords,
} from "@/server/judging/checks/text/counts";
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
import { countUnspaced } from "@/server/judging/checks/text/scripts";

/** The lowest and the highest sensible count of something. */
export interface CountRange {
  low: number;
  high: number;
}

export type CountedUnit = "words" | "characters" | "sentences" | "bullet-points";

/** How many of a unit a deliverable has. */
export interface UnitCount {
  /** By the one way that `COUNTED` describes. */
  count: number;
  /** By every sensible way of counting. */
  ranges: CountRange[];
}

/** What `count` counts. */
export const COUNTED: Record<CountedUnit, string> = {
  words: "parts between white space that have a letter or digit, headings and code included",
  characters: "with white space, of which 20 or more in a row count as one or two",
  sentences: "without headings, tables and code; a list item has at least one",
  "bullet-points": "items of all lists, nested and numbered ones included",
};

/** Counts a unit in a deliverable; null if it cannot be counted. */
export function countUnits(unit: CountedUnit, deliverable: string): UnitCount | null {
  const text = condenseSpace(deliverable);
  switch (unit) {
    case "words":
      return countEveryWord(text);
    case "characters":
      return countCharacters(text);
    case "sentences":
      return countEverySentence(text);
    case "bullet-points":
      return countBulletPoints(text);
  }
}

/** Counts words with and without headings, greetings, notes, tables, code, links and figures. */
function countEveryWord(text: string): UnitCount | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (countUnspaced(text) * 5 > letters) return null;
  const body = omitFrame(replaceFencedBlocks(text, " "))
    .replace(/^[ \t]*\|.*$/gm, " ")
    .replace(/<[^>\n]{1,200}>|https?:\/\/\S+/g, " ")
    .replace(/\([^()\n]{1,300}\)/g, " ")
    .replace(/(?<!\S)[^\p{L}\s]+(?!\S)/gu, " ");
  // Splits "well-known" and "don't".
  const split = text.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ");
  const counts = [text, body, split].map(countWords);
  return { count: countWords(text), ranges: [toRange(counts)] };
}

const toRange = (counts: readonly number[]): CountRange => ({
  low: Math.min(...counts),
  high: Math.max(...counts),
});

/** Returns whether a line is a title of the work or talk around it. */
const isFrame = (line: string): boolean => isHeading(line) || isBoldLine(line) || isChatter(line);

const MAX_FRAME_WORDS = 8;

/** Omits headings, talk around the work, and short first and last lines such as a greeting. */
function omitFrame(text: string): string {
  const lines = listLines(text).filter((line) => !isFrame(line));
  const isShort = (line = "") => line.split(/\s+/).length <= MAX_FRAME_WORDS;
  while (lines.length > 1 && isShort(lines[0])) lines.shift();
  while (lines.length > 1 && isShort(lines.at(-1))) lines.pop();
  return lines.join("\n");
}

function countCharacters(text: string): UnitCount {
  const body = omitFrame(text).replace(/[*_#`>\s]/g, "");
  const ranges = [{ low: countCodePoints(body), high: text.length }];
  return { count: countCodePoints(text), ranges };
}

const QUOTED = /"[^"\n]{1,600}"|“[^“”\n]{1,600}”|\([^()\n]{1,600}\)/g;
/** Full stops that need not end a sentence. */
const INNER_STOP =
  /(?<=\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|eg|ie|inc|ltd|co|corp|no|fig|approx|max|min|jr|sr|dept|est|u\.s|u\.k|a\.m|p\.m|vol|ed|cf|al|ph\.d|[a-z]))\.(?=\s*\S)|(?<=^[\s*_#]*\(?\d{1,3})\./gim;
const SENTENCE_END = /(?:[.!?…]+|[。！？])["'”’)\]*_]*(?=\s|$)|[。！？]|;/gu;

const CERTAIN_END = /(?:[.!?]+["'”’)\]*_]*(?=\s+[^\p{Ll}\d,;)\s]|\s*$)|[。！？])/gmu;

/** Counts sentences: at least the ends that are certain, at most every end, line and fragment. */
function countEverySentence(text: string): UnitCount {
  const lines = listLines(replaceFencedBlocks(text, ""));
  const certain = lines
    .filter((line) => !isFrame(line))
    .join("\n")
    .replace(QUOTED, (part) => part.replace(/[.!?…。！？]/g, "_"))
    .replace(INNER_STOP, "")
    .replace(/(?:…|\.{2,})(?=[^\S\n]*\S)/g, "");
  const ends = lines.map((line) => {
    const all = [...line.matchAll(SENTENCE_END)];
    const last = all.at(-1);
    const isOpen = !last || /[\p{L}\p{N}]/u.test(line.slice(last.index + last[0].length));
    return all.length + (isOpen ? 1 : 0);
  });
  const low = certain.match(CERTAIN_END)?.length ?? 0;
  const high = ends.reduce((total, count) => total + count, 0);
  // A text without punctuation has as many sentences as lines.
  const count = countSentences(text);
  return { count, ranges: [toRange([count, low === 0 ? Math.min(1, high) : low, high])] };
}

/** Counts items of all lists, of the outermost level and of one kind; without a list, lines and paragraphs. */
function countBulletPoints(text: string): UnitCount {
  const items = listItems(text);
  const counts = items.length > 0 ? [countListItems(text), ...countItems(items)] : countParts(text);
  const distinct = new Set(counts.filter((count) => count > 0));
  return {
    count: items.length,
    ranges: [...distinct].map((count) => ({ low: count, high: count })),
  };
}

function countItems(items: readonly ListItem[]): number[] {
  const bullets = items.filter(({ isNumbered }) => !isNumbered);
  const numbered = items.filter(({ isNumbered }) => isNumbered);
  return [items, selectTopLevel(items), bullets, selectTopLevel(bullets), numbered].map(
    ({ length }) => length,
  );
}

function countParts(text: string): number[] {
  const lines = listLines(text);
  const plain = lines.filter((line) => !isFrame(line));
  const blocks = listBlocks(text).length;
  return [plain.length, lines.length, blocks, plain.length - 1, blocks - 1];
}
