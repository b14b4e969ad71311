import type { Bounds } from "./bounds";
import { remember } from "./remember";

// Stems of words in patterns. cspell:ignore totall neighbou rhood ignor penali disqualif

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** Longest first, so that "seventeen" is not read as "seven". */
const UNIT = UNITS.toReversed().join("|");
/** Source of a pattern for a number below a hundred in words. */
const SMALL = `(?:(?:${TENS.join("|")})(?:[- ](?:${UNITS.slice(1, 10).join("|")})\\b)?|(?:${UNIT}))`;
/** The lookahead keeps "two hundred and three hundred" apart. */
const HUNDREDS = `(?:(?:a|${SMALL}) hundred(?:(?: and)? ${SMALL}\\b(?! (?:hundred|thousand)))?)`;
const THOUSANDS = `(?:(?:a|${HUNDREDS}|${SMALL}) thousand(?:(?:,|,? and)? (?:${HUNDREDS}|${SMALL}\\b(?! hundred)))?)`;
const DIGITS =
  "(?:\\d{1,3}(?:,\\d{3})+|\\d{1,7})(?![\\d.,]?\\d|(?:st|nd|rd|th|[a-z%°€£$])\\b|%|\\s?percent|[:/]\\d)";
/** Source of a pattern for an amount in digits or words. */
const AMOUNT = `${DIGITS}|(?:${THOUSANDS}|${HUNDREDS}|${SMALL}|half a dozen|(?:a|one|two|three) dozen|an? (?:couple|pair)(?: of)?|an? single)(?![-\\w]*-old)\\b`;

const FIXED: Record<string, number> = { once: 1, twice: 2, thrice: 3 };

/** Returns the value of what `AMOUNT` matches, or of "once" and its like. */
export function parseAmount(text: string): number {
  const amount = text.toLowerCase();
  if (/^\d/.test(amount)) return Number(amount.replaceAll(",", ""));
  if (amount in FIXED) return FIXED[amount] ?? 0;
  if (amount.includes("single")) return 1;
  if (/couple|pair/.test(amount)) return 2;
  if (amount.startsWith("half")) return 6;
  if (amount.endsWith("dozen")) return 12 * Math.max(1, UNITS.indexOf(amount.split(" ")[0] ?? ""));
  let total = 0;
  let current = 0;
  for (const word of amount.split(/[\s,-]+/)) {
    if (word === "a") current = 1;
    else if (word === "hundred") current *= 100;
    else if (word === "thousand") {
      total += current * 1_000;
      current = 0;
    } else if (UNITS.includes(word)) current += UNITS.indexOf(word);
    else if (TENS.includes(word)) current += 20 + 10 * TENS.indexOf(word);
  }
  return total + current;
}

/** How a sentence states an amount. `bare`: just the number, as in "three paragraphs". */
export type Comparison = "bare" | "exactly" | "at-least" | "at-most" | "between" | "about";

/** An amount in a sentence. */
export interface Quantity extends Bounds {
  comparison: Comparison;
  /** UTF-16 offsets of the amount with its comparison, such as "no more than 200". */
  from: number;
  to: number;
  /** What comes before the amount in its sentence, at most 400 characters. */
  preceding: string;
  /**
   * What comes after the amount, at most 120 characters, without a leading space or hyphen. Begins
   * with the unit, if there is one: "words", "short paragraphs". "Twice" and its like are followed
   * by "times".
   */
  following: string;
}

const NUMBER = new RegExp(
  `(?<![\\w.,$€£#/:’'=])(?<amount>${AMOUNT}|once|twice|thrice)(?:\\s?\\((?:\\d{1,7}|${HUNDREDS}|${SMALL})\\))?`,
  "gi",
);
/** The second number of a range, directly after the first; "and" needs "between" or "from" before. */
const RANGE = new RegExp(
  `^(?:\\s*(?<dash>-|–|—|to|or|through)\\s*|(?:\\s[a-z]+)?\\s(?<and>and)\\s)(?<second>${AMOUNT})`,
  "i",
);
const NONE =
  /\b(?:no(?! (?:more|fewer|less|longer|shorter|greater|larger|later|other|need|matter|one|doubt|sooner)\b)|without(?: any| using any| using)?|(?:not|never|avoid)(?: \w+){0,2} any)(?=\s)|n['’]t(?: \w+){0,2} any(?=\s)/gi;

/** Comparisons before a number, each anchored at its end; the first that matches applies. */
const BEFORE: readonly [Comparison | "over" | "under", RegExp][] = (
  [
    [
      "exactly",
      "exactly|precisely|strictly|just|only|no more(?:,| and| or|, and)* no (?:less|fewer)(?: than)?|neither more nor less than|equal to|a total of|totall?ing|=",
    ],
    [
      "at-least",
      "at (?:the very )?least|(?:no|not) (?:fewer|less|shorter|lower|smaller) than|(?:(?:more|greater) than|longer) or equal to|(?:a |the )?(?:bare |absolute )?min(?:imum)?\\.?(?: (?:word |character )?(?:length|number|count|total))?(?: of| is| being|:)?|[≥⩾]|>=|upwards? of",
    ],
    [
      "at-most",
      "at (?:the very )?most|(?:no|not) (?:more|longer|greater|larger|bigger|higher) than|nothing (?:over|above|longer than)|(?:less|fewer) than or equal to|up to|(?:a |the )?(?:absolute )?max(?:imum)?\\.?(?: (?:word |character )?(?:length|number|count|total))?(?: of| is| being|:)?|[≤⩽]|<=|within(?: a limit of)?|\\b(?:limit|cap)(?:ped|ed)?\\b[^.;]{0,60}?(?: to| at| of| is|:)|\\b(?:restrict|confine|hold|keep)(?:ed|ing)?\\b[^.;]{1,60}? (?:to|within)",
    ],
    [
      "about",
      "about|around|approximately|approx\\.?|roughly|circa|ca\\.|some|nearly|almost|close to|near|[~≈]|in the (?:region|neighbou?rhood|vicinity) of|more or less|target(?:ing)?(?: of)?",
    ],
    [
      "over",
      "(?:more|greater|longer|larger|higher|bigger) than|(?:go |goes |going )?(?:over|above|beyond|past)|(?:exceed|surpass)(?:e?s|ing)?|>",
    ],
    ["under", "(?:less|fewer|shorter|lower|smaller) than|under|below|<"],
  ] as const
).map(([kind, source]) => [
  kind,
  // "No more then" is a common slip.
  new RegExp(`(?:^|[^\\w])(?<phrase>${source.replaceAll("than", "th[ae]n")})[\\s*_"“(]*$`, "i"),
]);

/** Comparisons after a number and at most three words. */
const AFTER: readonly [Comparison, RegExp][] = (
  [
    [
      "at-least",
      "or (?:more|longer|greater|above|over|higher)|and (?:up|above|over)|(?:at )?(?:the )?(?:least|minimum)|min\\.?",
    ],
    [
      "at-most",
      "or (?:less|fewer|shorter|under|below|lower)|(?:at )?(?:the )?(?:most|maximum)|max\\.?|tops|limit|cap",
    ],
    ["exactly", "exactly|precisely|no more(?:,| and| or|, and)* no (?:less|fewer)|on the dot"],
    ["about", "or so|give or take|or thereabouts|approximately|approx\\.?|roughly|more or less"],
  ] as const
).map(([kind, source]) => [
  kind,
  new RegExp(
    `^(?:[\\s-][a-z]+){0,3}?[\\s,(-]{1,3}(?:${source})(?![\\w-]|\\.? (?:of )?\\d|\\s+th[ae]n\\b)`,
    "i",
  ),
]);

const NEGATION =
  /\b(?:not|never|cannot|without|avoid|no [a-z]+ (?:should|may|must|can|shall|will|has|have|is))\b|n['’]t\b/i;
/** What exceeds an amount is not accepted, so the amount is a limit. */
const REJECTED =
  /^[^.;]{0,60}\b(?:reject|ignor|discard|cut off|penali[sz]|disqualif|(?:not|n['’]t) (?:be )?(?:accept|read|consider|count))/i;
/** Share by which an approximate amount may be missed. */
const TOLERANCE = 0.3;
const CONTEXT = 120;
/** Several checks read the sentences and clauses of a task one after the other. */
const MAX_SENTENCES = 64;

/**
 * Finds the amounts that a sentence states in digits or words: "at least three", "100-200", "no more
 * than 1,200", "a couple of", "twice", "no". "Under 200" excludes 200; "around 300" allows 30% more
 * or less. Ignores decimals, percentages, money, ordinals and times of day.
 */
export const listQuantities = remember((sentence: string): readonly Quantity[] => {
  const found: Quantity[] = [];
  let last = 0;
  for (const match of sentence.matchAll(NUMBER)) {
    if (match.index < last) continue;
    const quantity = readQuantity(sentence, match);
    last = quantity.to;
    found.push(quantity);
  }
  for (const { 0: phrase, index } of sentence.matchAll(NONE)) {
    const [from, to] = [index, index + phrase.length];
    if (!found.some((other) => other.from < to && from < other.to))
      found.push(createQuantity(sentence, { min: 0, max: 0 }, "exactly", from, to));
  }
  return joinBounds(
    sentence,
    found.toSorted((a, b) => a.from - b.from),
  );
}, MAX_SENTENCES);

function readQuantity(sentence: string, match: RegExpMatchArray): Quantity {
  const index = match.index ?? 0;
  const amount = match.groups?.amount ?? "";
  let from = index;
  let to = index + match[0].length;
  const before = sentence.slice(Math.max(0, from - CONTEXT), from);
  const first = parseAmount(amount);
  const range = RANGE.exec(sentence.slice(to, to + CONTEXT));
  const lead = /\b(?:between|from)(?: about| around| roughly| approximately)?[\s*_]*$/i.exec(
    before,
  );
  const second =
    range?.groups && (range.groups.dash || lead) ? parseAmount(range.groups.second ?? "") : null;
  if (range && second !== null && second >= first) {
    to += range[0].length;
    const about = BEFORE.find(([kind]) => kind === "about")?.[1].exec(before);
    from -= (lead ?? about)?.[0].trimStart().length ?? 0;
    const bounds = about && !lead ? widen(first, second) : { min: first, max: second };
    return createQuantity(sentence, bounds, about && !lead ? "about" : "between", from, to);
  }
  if (/^\s?\+/.test(sentence.slice(to, to + 2))) {
    to = sentence.indexOf("+", to) + 1;
    return createQuantity(sentence, { min: first, max: null }, "at-least", from, to);
  }
  const after = AFTER.find(([, pattern]) => pattern.test(sentence.slice(to, to + 60)))?.[0];
  for (const [kind, pattern] of BEFORE) {
    const phrase = pattern.exec(before)?.groups?.phrase;
    if (phrase === undefined || (kind === "under" && isPlace(phrase, sentence.slice(to)))) continue;
    from -= before.length - before.lastIndexOf(phrase);
    const clause = before
      .slice(0, before.lastIndexOf(phrase))
      .split(/[.;:]|\b(?:and|but|then)\b/)
      .at(-1);
    const [comparison, bounds] = resolveBounds(
      kind,
      first,
      NEGATION.test(clause ?? "") || REJECTED.test(sentence.slice(to, to + CONTEXT)),
    );
    return createQuantity(sentence, bounds, comparison, from, to);
  }
  if (after) {
    const end = to + (/^\s+or\s+(?:more|less|fewer)/i.exec(sentence.slice(to))?.[0].length ?? 0);
    return createQuantity(sentence, resolveBounds(after, first, false)[1], after, from, end);
  }
  const isSingle = /single/i.test(amount);
  return createQuantity(
    sentence,
    { min: first, max: first },
    isSingle ? "exactly" : "bare",
    from,
    to,
  );
}

/** "Under three headings" names a place. */
const isPlace = (phrase: string, rest: string): boolean =>
  /^(?:under|below)$/i.test(phrase) &&
  /^\s+(?:[a-z]+ ){0,2}?(?:(?:sub)?head(?:ing|line|er)s?|titles?|labels?|rubrics?)\b/i.test(rest);

function resolveBounds(
  kind: Comparison | "over" | "under",
  value: number,
  isNegated: boolean,
): [Comparison, Bounds] {
  switch (kind) {
    case "over":
      return isNegated
        ? ["at-most", { min: null, max: value }]
        : ["at-least", { min: value + 1, max: null }];
    case "under":
      return isNegated
        ? ["at-least", { min: value, max: null }]
        : ["at-most", { min: null, max: Math.max(0, value - 1) }];
    case "at-least":
      return [kind, { min: value, max: null }];
    case "at-most":
      return [kind, { min: null, max: value }];
    case "about":
      return [kind, widen(value, value)];
    default:
      return [kind, { min: value, max: value }];
  }
}

const widen = (low: number, high: number): Bounds => ({
  min: Math.floor(low * (1 - TOLERANCE)),
  max: Math.ceil(high * (1 + TOLERANCE)),
});

function createQuantity(
  sentence: string,
  { min, max }: Bounds,
  comparison: Comparison,
  from: number,
  to: number,
): Quantity {
  const isTimes = /\b(?:once|twice|thrice)$/i.test(sentence.slice(from, to));
  const rest = sentence.slice(to, to + CONTEXT).replace(/^[\s*_)"”-]+/, "");
  return {
    min,
    max,
    comparison,
    from,
    to,
    preceding: sentence.slice(Math.max(0, from - 400), from).trimEnd(),
    following: isTimes ? `times ${rest}`.trimEnd() : rest,
  };
}

/** Joins a lower bound with the upper bound of the same unit that follows it, or the reverse. */
function joinBounds(sentence: string, found: Quantity[]): Quantity[] {
  const joined: Quantity[] = [];
  for (const quantity of found) {
    const previous = joined.at(-1);
    if (previous && formsRange(previous, quantity, sentence)) {
      joined[joined.length - 1] = {
        ...quantity,
        min: previous.min ?? quantity.min,
        max: previous.max ?? quantity.max,
        comparison: "between",
        from: previous.from,
        preceding: previous.preceding,
        following: /^[a-z]/i.test(quantity.following) ? quantity.following : previous.following,
      };
    } else joined.push(quantity);
  }
  return joined;
}

/** What may be between two bounds: the unit of the first, and a conjunction. */
const BETWEEN_BOUNDS =
  /^[\s,;(/]*(?<unit>(?!and|but|yet|to|or|not)[a-z]+)?[\s,;(/]*(?:and|but|yet|to|or)?[\s(]*(?:also|with|is)?[\s(]*(?:(?:it )?(?:must|should|may|can)(?: not|not|n['’]t| never)? )?(?:fall|drop|go|be|have)?[\s(]*$/i;

function formsRange(first: Quantity, second: Quantity, sentence: string): boolean {
  const isOpposite =
    first.max === null ? second.min === null : first.min === null && second.max === null;
  if (!isOpposite) return false;
  const low = first.min ?? second.min ?? 0;
  const high = first.max ?? second.max ?? 0;
  const gap = BETWEEN_BOUNDS.exec(sentence.slice(first.to, second.from));
  if (!gap || low > high) return false;
  const unit = gap.groups?.unit?.toLowerCase().replace(/s$/, "") ?? "";
  return !/^[a-z]/i.test(second.following) || second.following.toLowerCase().startsWith(unit);
}
