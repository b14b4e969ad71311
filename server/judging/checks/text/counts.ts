import { isBoldLine, isDivider, isHeading, listBlocks, replaceFencedBlocks } from "./layout";
import { hasUnspaced } from "./scripts";

// The locale is fixed, since a host's own could change what is counted.
const wordSegmenter = new Intl.Segmenter("en", { granularity: "word" });
const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Counts as word processors do: what is between white space; in scripts without spaces, words. */
export function countWords(text: string): number {
  let words = 0;
  for (const [part] of text.matchAll(/\S+/gu)) {
    if (hasUnspaced(part)) words += countUnspacedWords(part);
    else if (LETTER_OR_DIGIT.test(part)) words += 1;
  }
  return words;
}

function countUnspacedWords(part: string): number {
  let words = 0;
  for (const { isWordLike } of wordSegmenter.segment(part)) if (isWordLike) words += 1;
  return words;
}

export function countCodePoints(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

const ABBREVIATION = /(?:^|[\s(])(?:Mrs?|Ms|Dr|Prof|St|vs|e\.g|i\.e)\.\s*$/;
const LIST_ITEM = /^[ \t]*(?:>[ \t]?)*(?:[-*+•‣◦▪●○]|\d{1,9}[.)])[ \t]+\S/;
const isTableRow = (line: string) => /^\s*\|/.test(line);
const isTitle = (line: string) => isHeading(line) || isBoldLine(line) || isDivider(line);

/** Counts sentences of paragraphs and list items; a list item without a full stop is one. */
export function countSentences(text: string): number {
  let sentences = 0;
  for (const block of listBlocks(text)) {
    const lines = block.split("\n").filter((line) => !isTableRow(line) && !isTitle(line));
    // A line break inside a paragraph ends no sentence; one before a list item does.
    const parts = lines
      .map((line) => (LIST_ITEM.test(line) ? `\n${line}` : line))
      .join(" ")
      .split("\n");
    for (const part of parts) sentences += countSentencesIn(part);
  }
  return sentences;
}

function countSentencesIn(part: string): number {
  let sentences = 0;
  let isContinued = false;
  for (const { segment } of sentenceSegmenter.segment(part.replace(/^\s*\d{1,9}[.)]/, ""))) {
    if (!LETTER_OR_DIGIT.test(segment)) continue;
    if (!isContinued) sentences += 1;
    isContinued = ABBREVIATION.test(segment);
  }
  return sentences;
}

export function countParagraphs(text: string): number {
  return listBlocks(text).filter((block) => {
    const first = block.split("\n", 1)[0] ?? "";
    const isOther =
      isTitle(first) || isTableRow(first) || LIST_ITEM.test(first) || first.startsWith("```");
    return !isOther && LETTER_OR_DIGIT.test(block);
  }).length;
}

export function countListItems(text: string): number {
  return replaceFencedBlocks(text, "")
    .split("\n")
    .filter((line) => LIST_ITEM.test(line) && !isDivider(line)).length;
}
