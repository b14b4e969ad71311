// Stems of words in patterns. cspell:ignore itemi
import {
  isHeading,
  type ListItem,
  listBlocks,
  listItems,
  listLines,
  selectTopLevel,
} from "@/server/judging/checks/text/layout";
import { ADJECTIVES } from "./demands";
import { type CountRange, createCountCheck } from "./length-checks";

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
