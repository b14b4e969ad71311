import { z } from "zod";
import type { CheckResult, Requirement, TextCheck } from "@/server/judging/checks/check";
import { type Bounds, describeBounds } from "@/server/judging/checks/text/bounds";
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
import { ADJECTIVES, listDemands, selectBounds, type Unit } from "./demands";

/** The lowest and the highest plausible count of something. */
export interface CountRange {
  low: number;
  high: number;
}

/** Something that can be counted in a deliverable. */
export interface CountKind extends Unit {
  /** Name of the check. */
  name: string;
  singular: string;
  plural: string;
  /**
   * Returns every plausible way of counting, the most natural first; empty if it cannot be counted.
   * A requirement is missed only if all of them miss it.
   */
  count(text: string): CountRange[];
}

const bound = z.int().min(0).max(10_000_000).nullable();
export const boundsSchema = z
  .strictObject({ min: bound, max: bound })
  .refine(
    ({ min, max }) => (min ?? max) !== null && (min ?? 0) <= (max ?? Number.POSITIVE_INFINITY),
  );

/** Creates the check of how many of something the whole deliverable contains. */
export function createCountCheck(kind: CountKind): TextCheck<Bounds> {
  const { name, singular, plural } = kind;
  return {
    name,
    parameters: boundsSchema,
    extract: (task) => extractCount(task, kind),
    describe: (bounds) => describeBounds(bounds, singular, plural),
    run: ({ text }, bounds) => compareCounts(kind.count(condenseSpace(text)), bounds, kind),
    forRubric: `min and max: how many ${plural} the whole deliverable has, inclusive; null for no limit`,
  };
}

/** Finds the number that the task demands; none if statements contradict each other. */
function extractCount(task: string, kind: CountKind): Requirement<Bounds>[] {
  const demands = listDemands(task).flatMap((demand) =>
    selectBounds(demand, kind).map((bounds) => ({ text: demand.text, ...bounds })),
  );
  const getDistinct = (values: (number | null)[]) =>
    [...new Set(values)].filter((value) => value !== null);
  const mins = getDistinct(demands.map(({ min }) => min));
  const maxes = getDistinct(demands.map(({ max }) => max));
  const [min = null] = mins;
  const [max = null] = maxes;
  if (mins.length > 1 || maxes.length > 1 || (min ?? max) === null) return [];
  if (min !== null && max !== null && min > max) return [];
  return [
    {
      check: kind.name,
      parameters: { min, max },
      statement: [...new Set(demands.map(({ text }) => text))].join(" "),
    },
  ];
}

/** Compares plausible counts with the bounds; fails only if all of them miss. */
export function compareCounts(
  counts: readonly CountRange[],
  { min, max }: Bounds,
  { singular, plural }: Pick<CountKind, "singular" | "plural">,
): CheckResult {
  const [first] = counts;
  if (!first) return { outcome: "not-applicable", observed: `${plural} cannot be counted` };
  const isMet = counts.some(({ low, high }) => high >= (min ?? 0) && low <= (max ?? high));
  const { low, high } = first;
  const amount = low === high ? `${low}` : `${low} to ${high}`;
  return {
    outcome: isMet ? "pass" : "fail",
    observed: `${amount} ${low === 1 && high === 1 ? singular : plural}`,
  };
}

// Stems of words in patterns. cspell:ignore rhym capitali italici emphasi

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "gu");
/** What words that are listed or marked, rather than counted as length, are followed by. */
const SELECTED_WORDS =
  /^(?:\w+ )?words? (?:that|which|starting|beginning|ending|containing|from|related|rhym\w+|with (?:all|the|a)\b|in (?:all|capital|upper|bold|italic|the (?:response|answer|title))|capitali[sz]ed|(?:to|that) describe|associated|are|is|should|must|into|having|bold|of (?:wisdom|advice|encouragement)|per|each|apart|longer|ago|or phrases)\b/i;
const MARKED_WORDS =
  /^words? (?:\w+ ){0,4}(?:bold|italics?|capitals?|capitali[sz]ed|caps|upper ?case)\b/i;
const MARKS = /\b(?:bold|highlight|italici[sz]e|emphasi[sz]e|capitali[sz]e|underline)$/i;
const MIN_BARE_WORDS = 20;

/** Counts words with and without headings, tables, code, links and tags, and parts of hyphenated words. */
export function countWords(text: string): CountRange[] {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if ((text.match(UNSPACED)?.length ?? 0) * 5 > letters) return [];
  const countSpaced = (part: string) =>
    part.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const body = replaceFencedBlocks(text, " ")
    .replace(/^[ \t]*(?:#|\|).*$/gm, " ")
    .replace(/<[^>\n]{1,200}>|https?:\/\/\S+/g, " ");
  const counts = [
    countSpaced(text),
    countSpaced(body),
    // The way of counting that splits "don't" and "well-known" in two.
    text.match(/[\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0,
    text.match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu)?.length ?? 0,
  ];
  return [{ low: Math.min(...counts), high: Math.max(...counts) }];
}

export const WORDS = createCountCheck({
  name: "word-count",
  isLength: true,
  singular: "word",
  plural: "words",
  unit: /^(?:english |total |\(?\d+\)? )?words?\b/i,
  bare: "about",
  accepts: ({ comparison, min, max, preceding, following }, statement) => {
    const isSmall = (max ?? min ?? 0) < MIN_BARE_WORDS;
    if (MARKED_WORDS.test(following) || MARKS.test(preceding)) return false;
    if (isSmall && SELECTED_WORDS.test(following)) return false;
    return (
      (max ?? 1) > 0 &&
      (comparison !== "bare" || !isSmall || /\bin (?:\w+ )?words?\b/.test(statement))
    );
  },
  isNot:
    /\b(?:all[- ]caps|capital letters|uppercase|(?:appear|occur|mention|use)s?\b[^.]{0,60}\btimes|vocabulary|anagrams?|rhym\w+|synonyms?|antonyms?|unique words)\b/i,
  count: countWords,
});

const ABBREVIATION =
  /\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|eg|ie|inc|ltd|co|corp|no|fig|approx|max|min|jr|sr|dept|est|u\.s|u\.k|a\.m|p\.m|vol|ed|cf|al|ph\.d|[a-z])\.$/i;
const SENTENCE_END = /(?:[.!?…]+|[。！？])["'”’)\]*_]*(?=\s|$)|[。！？]/gu;

/** Counts sentences: at least the ends that are certain, at most every end, line and fragment. */
export function countSentences(text: string): CountRange[] {
  let low = 0;
  let high = 0;
  for (const line of listLines(replaceFencedBlocks(text, ""))) {
    const ends = [...line.matchAll(SENTENCE_END)];
    const certain = ends.filter(({ 0: mark, index }) => {
      const after = line
        .slice(index + mark.length)
        .trimStart()
        .slice(0, 2);
      const before = line.slice(Math.max(0, index - 8), index + 1);
      if (/^(?:…|\.{2,})/.test(mark)) return after === "";
      if (/^[\s*_#]*\(?(?:\d{1,3}|[a-z])[.)]$/i.test(line.slice(0, index + 1))) return false;
      if (/^[.…]/.test(mark) && ABBREVIATION.test(before))
        return after === "" && !/\b[a-z]\.$/i.test(before);
      return after === "" || !/^[\p{Ll}\d,;)]/u.test(after);
    });
    const last = ends.at(-1);
    const isOpen = !last || /[\p{L}\p{N}]/u.test(line.slice(last.index + last[0].length));
    const isTitle = isHeading(line) || isBoldLine(line) || isChatter(line);
    low += isTitle ? 0 : certain.length;
    high += Math.max(ends.length, certain.length) + (isOpen ? 1 : 0);
  }
  // A text without punctuation has as many sentences as lines.
  return [{ low: low === 0 ? Math.min(1, high) : low, high: Math.max(low, high) }];
}

export const SENTENCES = createCountCheck({
  name: "sentence-count",
  isLength: true,
  singular: "sentence",
  plural: "sentences",
  unit: /^(?:(?:short|long|complete|full|concise|simple|clear|brief|plain|crisp|succinct|coherent|well-\w+|english|different|distinct) ){0,3}sentences?\b/i,
  bare: "exactly",
  notBefore:
    /^(?:\w+ ){0,3}sentences? (?:from|about each|in (?:the|your) (?:first|last|second|intro\w*|conclusion)|summary of each)\b/i,
  count: countSentences,
});

/** A smaller number counts the characters of a story. */
const MIN_CHARACTERS = 25;

export const CHARACTERS = createCountCheck({
  name: "character-count",
  isLength: true,
  singular: "character",
  plural: "characters",
  unit: /^(?:total |text )?(?:characters?|chars?)\b/i,
  bare: null,
  accepts: ({ min, max }) => (max ?? min ?? 0) >= MIN_CHARACTERS,
  isNot:
    /\b(?:main characters|passwords?|titles?|headlines?|usernames?|subject lines?|meta|slugs?|characters? per)\b/i,
  count: (text) => {
    const trimmed = [...text.trim()];
    const bare = text.replace(/[*_#`>\s]/g, "");
    return [{ low: [...bare].length, high: trimmed.length }];
  },
});

// Stems of words in patterns. cspell:ignore itemi

const toRanges = (counts: readonly number[]): CountRange[] =>
  [...new Set(counts)].map((count) => ({ low: count, high: count }));

/** Returns the numbers of items that a reader may see: all, of the outermost level, of one kind, of one list. */
function countItemsOf(items: readonly ListItem[]): number[] {
  const bullets = items.filter(({ isNumbered }) => !isNumbered);
  const numbered = items.filter(({ isNumbered }) => isNumbered);
  return [items, selectTopLevel(items), bullets, selectTopLevel(bullets), numbered]
    .map(({ length }) => length)
    .filter((count, index) => index === 0 || count > 0);
}

export const BULLETS = createCountCheck({
  name: "bullet-count",
  singular: "bullet point",
  plural: "bullet points",
  unit: new RegExp(
    `^${ADJECTIVES}(?:bullet(?:ed)?[ -]?(?:points?|items?|list items?)|bullets?|list items?|bullet list(?:ed)? items?|dot points?)\\b`,
    "i",
  ),
  bare: "exactly",
  notBefore:
    /^[\w -]{0,40}?(?:bullet(?:ed)?[ -]?points?|bullets?|items?) (?:that|which|under|in each|should|must|from|above|below)\b/i,
  isNot: /\b(?:slides?|sections?|paragraphs?) (?:with|has|have|containing)\b|\bsilver bullet/i,
  count: (text) => toRanges(countItemsOf(listItems(text))),
});

/** Nouns that other checks count, or that no list consists of. */
const OTHER_NOUNS =
  "words?|sentences?|paragraphs?|lines?|characters?|letters?|times?|sections?|headings?|bullets?|stanzas?|verses?|questions?|lists?|list items?|numbered|bullet[a-z]*|highlighted|hashtags?|emojis?|placeholders?|minutes?|hours?|days?|weeks?|months?|years?|dollars?|percent|people|pages?|commas?|responses?|capitals?|caps|uppercase|languages?|children|kids|persons?|miles?|feet|decimals?|digits?|grams?|cups?|degrees?|quarters?|asterisks?|stars?|columns?|rows?|tables?|exclamation|sources?|citations?|quotes?|quotations?|links?";
const LISTED = `(?!(?:[a-z]+ )?(?:${OTHER_NOUNS})\\b)(?:(?!(?:${OTHER_NOUNS}|of|more|other|to|and|or|in|on|for|with|that|as|is|are|from|by|at|about)\\b)[a-z][a-z'’-]*,? ){0,3}?`;
const PLURAL = `(?!(?:${OTHER_NOUNS}|others|this|is|was|has|its|as|less|across|always|plus|versus|business|process|class|address)\\b)[a-z-]+s`;
/** Requests a list of whatever noun follows. */
const NAMES_ITEMS =
  /(?:^|\b(?:please|and|then|to|you|just|only|simply) )(?:list|name|brainstorm|come up with|enumerate|itemi[sz]e)(?: (?:me|us|out|the|at|least|exactly|your|some|top|any|a|total|of|up))*\s*$|\b(?:list|glossary|checklist) (?:of|with|containing)(?: (?:the|at|least|exactly|your|top))*\s*$/i;
const REQUESTS =
  /\b(?:list|what are|give|provide|name|suggest|write|generate|come up with|identify|share|propose|recommend|create|brainstorm|offer|outline|include|present|describe|mention|find|need|want|list of|top|with|make|use)(?: (?:me|us|out|down|up|with|a|an|list|of|the|top|at least|exactly|your|my|for|some|total|and|explain|describe))*\s*$/i;
const ITEM_NOUN = new RegExp(
  `^${LISTED}(?:examples|ideas|reasons|ways|tips|suggestions|options|names|facts|benefits|advantages|disadvantages|risks|steps|recommendations|strategies|features|topics|titles|headlines|slogans|taglines|items|things|factors|causes|effects|challenges|alternatives|pros|cons|takeaways|lessons|methods|techniques|books|movies|songs|activities|recipes|places|destinations|questions|insights|findings|arguments|points|mistakes|trends|tools|habits|elements|principles|use cases|applications|entries|keywords|products|companies|countries|cities|differences|similarities|goals|jokes|riddles|puns|metrics|types|kinds|variations|components|considerations|issues|solutions|drivers|measures)\\b`,
  "i",
);

/**
 * Items of any form: a text that answers "give five reasons" may have bullets, headings, rows,
 * paragraphs or a plain enumeration, so only a text with too few of all of them fails.
 */
export const LIST_ITEMS = createCountCheck({
  name: "list-length",
  singular: "list item",
  plural: "list items",
  unit: new RegExp(`^${LISTED}${PLURAL}\\b`, "i"),
  bare: "at-least",
  notBefore:
    /^[\w' -]{0,60}? (?:above|below|that (?:i|we) (?:gave|provided|listed)|from the (?:list|text|article|table))\b/i,
  isNot:
    /\b(?:following|below|above|given|provided|these) (?:\w+ ){0,3}(?:examples|ideas|reasons|ways|options|items|points|topics|names|questions)\b|\b(?:compare|choose|pick|select|between|based on|rank|sort)\b/i,
  accepts: ({ min, max, preceding, following }) =>
    (min ?? max ?? 0) >= 3 &&
    (max ?? min ?? 0) <= 50 &&
    (NAMES_ITEMS.test(preceding) || (REQUESTS.test(preceding) && ITEM_NOUN.test(following))),
  count: countAnyItems,
});

/** Counts items of every form; the largest group is what the reader takes for the list. */
function countAnyItems(text: string): CountRange[] {
  const lines = listLines(text);
  const items = countItemsOf(listItems(text));
  const rows = lines.filter((line) => /^\s*\|.*\|\s*$/.test(line)).length - 2;
  const bold = lines.filter((line) =>
    /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\*\*|__)\S/.test(line),
  ).length;
  const headings = lines.filter(isHeading).length;
  const structured = [...items, rows, bold, headings, headings - 1, countJsonItems(text)].filter(
    (count) => count >= 2,
  );
  // Items such as "Asia: Yangtze, Mekong" enumerate several things.
  const enumerated = listItems(text).map((item) => {
    const parts = item.text.split(/[,;]/);
    return parts.every((part) => part.trim().split(/\s+/).length <= 4) ? parts.length : 1;
  });
  structured.push(enumerated.reduce((sum, count) => sum + count, 0));
  const isMostlyList = (items[0] ?? 0) >= 2 && (items[0] ?? 0) * 2 >= lines.length - 2;
  const loose = isMostlyList
    ? []
    : [
        listBlocks(text).length,
        lines.length,
        ...lines.map((line) => line.split(/[,;]|\band\b/).length),
        text.split(/[.!?](?:\s|$)/).filter((sentence) => sentence.trim() !== "").length,
      ];
  const counts = [...new Set([...structured, ...loose])].filter((count) => count > 0);
  return toRanges(counts);
}

function countJsonItems(text: string): number {
  if (!/^\s*(?:```\w*\s*)?[[{]/.test(text)) return 0;
  try {
    const value: unknown = JSON.parse(text.replace(/^\s*```\w*\n|\n```\s*$/g, ""));
    const values =
      value !== null && typeof value === "object" ? [value, ...Object.values(value)] : [];
    return Math.max(0, ...values.map((member) => (Array.isArray(member) ? member.length : 0)));
  } catch {
    return 0;
  }
}
