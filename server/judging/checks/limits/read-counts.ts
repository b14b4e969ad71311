import type { CountedUnit } from "./counts";
import { LEAD, namesPart, REQUESTS, type Statements, WHOLE } from "./statements";

/** How many of a unit the whole deliverable has; inclusive, null is unbounded. */
export interface CountLimit {
  kind: CountedUnit;
  min: number | null;
  max: number | null;
}

const UNITS: Record<CountedUnit, string> = {
  words: "words?",
  characters: "characters?(?: including spaces)?",
  sentences: "(?:short |complete |full )?sentences?",
  "bullet-points": "bullet(?: |-)points?|bullets",
};
const KINDS = Object.keys(UNITS) as CountedUnit[];

const NAMED_NUMBERS: Record<string, number> = {
  "a single": 1,
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  eighty: 80,
  "a hundred": 100,
  "one hundred": 100,
  "two hundred": 200,
  "three hundred": 300,
  "five hundred": 500,
};
/** Longer names first, so that "a" is not read in "a single". */
const NUMBER = `(?:\\d{1,3}(?:,\\d{3})+|\\d{1,6}|${Object.keys(NAMED_NUMBERS)
  .toSorted((a, b) => b.length - a.length)
  .join("|")})`;

const parseNumber = (text = ""): number =>
  NAMED_NUMBERS[text.toLowerCase()] ?? Number(text.replaceAll(",", ""));

type Bounds = [min: number | null, max: number | null];
type ToBounds = (n: number, m: number) => Bounds;
const N = `(?<n>${NUMBER})`;
const M = `(?<m>${NUMBER})`;

/** Lists the phrases that state an amount of a unit, with the bounds that they mean. */
const listForms = (unit: string): [source: string, toBounds: ToBounds][] => [
  [`between ${N} and ${M} ${unit}`, (n, m) => [n, m]],
  [`(?:from )?${N} ?(?:-|–|to) ?${M} ${unit}`, (n, m) => [n, m]],
  [
    `(?:at most|no more than|not more than|a maximum of|maximum(?: of)?|max\\.?|up to) ${N} ${unit}`,
    (n) => [null, n],
  ],
  [`${N}[ -]${unit} (?:or (?:fewer|less)|max|maximum|at most)`, (n) => [null, n]],
  [`(?<!\\bno )(?:fewer than|less than|under|below) ${N} ${unit}`, (n) => [null, n - 1]],
  [
    `(?:at least|no (?:fewer|less) than|a minimum of|minimum(?: of)?|min\\.?) ${N} ${unit}`,
    (n) => [n, null],
  ],
  [`(?:exactly|precisely) ${N} ${unit}`, (n) => [n, n]],
  [`${N} ${unit},? no more(?: and)?,? no (?:less|fewer)`, (n) => [n, n]],
  [`(?:limit|restrict) (?:yourself|it|${WHOLE}) to ${N} ${unit}`, (n) => [null, n]],
  [
    `(?:at least|no (?:fewer|less) than) ${N}(?: ${unit})? (?:and|but) (?:fewer|less) than ${M} ${unit}`,
    (n, m) => [n, m - 1],
  ],
];
const FORMS = KINDS.map((kind) => ({
  kind,
  forms: listForms(`(?:${UNITS[kind]})`).map(([source, toBounds]) => ({
    pattern: new RegExp(`(?<![\\w-])${source}(?![\\w-])`, "i"),
    toBounds,
  })),
  /** Every amount of the unit, a range as one, and every other mention of its limit. */
  mentions: new RegExp(
    `(?<!\\w)${NUMBER}(?:\\s?(?:-|–|to|and)\\s?${NUMBER})?[ -](?:[a-z-]+ )?(?:${UNITS[kind]})(?!\\w)|\\b${kind.replace(/s$/, "")} (?:limit|count|length)`,
    "i",
  ),
}));

/** Words between which an amount would limit what the text is about: "how to write in under". */
const SPEAKS_OF_TEXTS = `how to|writing|answering|speaking|saying|telling|summari[sz]ing|explaining|composing|drafting|must|should|can|cannot|has to|limit(?:ed|s)?|laws?|where|in which|that|which`;
/** What may come before an amount that limits the whole deliverable. */
const BEFORE = [
  // "Keep it under", "Use", "Your answer must be", "Limit yourself to"
  `^${LEAD}(?:(?:keep|limit|make) (?:${WHOLE}|yourself)(?: to| at| within)?|stay(?: within| at)?|use(?: only)?|write|(?:answer|reply|respond) (?:in|with)|${WHOLE} (?:must|should|shall|has to|needs to) (?:be|have|contain|use|consist of|stay|run to)(?: of)?|(?:you|${WHOLE}) (?:must|should|may)|must (?:be|have|contain))?\\s*$`,
  // A rule of its own: "Length:"
  "^(?:(?:length|word count|word limit|limit|size|total|format)\\s*[:–-]\\s*)?$",
  // "Describe the tides in"
  `^${LEAD}${REQUESTS}\\b(?!.*\\b(?:${SPEAKS_OF_TEXTS})\\b)[^,;:]*?(?:,? (?:in|using|with)|,)\\s*$`,
].map((source) => new RegExp(source, "i"));
const AFTER =
  /^\s*(?:$|[.,;:!)]|\b(?:long|in (?:total|length|all)|total|altogether|overall|please|and (?:put|use|keep|include|do not|don['’]t|please|without))\b)/i;
/** "In at most three sentences, explain". */
const FIRST = new RegExp(`^\\s*,? (?:please )?${REQUESTS}\\b`, "i");
/** Says that an amount is that of the whole, even if the task also names parts. */
const SAYS_WHOLE = /\b(?:in (?:total|all)|total|altogether|overall|entire|whole)\b/i;
/** "Write a story of" and "Give", which may be followed by a subject. */
const BEFORE_SUBJECT = new RegExp(
  `^${LEAD}(?:${REQUESTS} (?:me |us )?an? (?:[a-z-]+ ){1,3}(?:of|with)|(?:give|list|write|provide)(?: me)?)\\s*$`,
  "i",
);
/** "Write a tweet (". */
const BEFORE_BRACKET = new RegExp(`^${LEAD}${REQUESTS} (?:me |us )?an? (?:[a-z-]+ ){1,3}\\($`, "i");
const SUBJECT = /^\s*(?:$|[.,;!)]|\b(?:about|on|for|describing|explaining)\b)/i;
/** "Explain it in three sentences": a bare number of these units is exact. */
const BARE: Partial<Record<CountedUnit, RegExp>> = {
  sentences: new RegExp(
    `^${LEAD}${REQUESTS}\\b(?!.*\\b(?:${SPEAKS_OF_TEXTS})\\b)[^,;:]*? in (?<words>${N} (?:${UNITS.sentences}))(?<rest>.*)$`,
    "i",
  ),
  "bullet-points": new RegExp(
    `^${LEAD}(?:${REQUESTS}\\b(?!.*\\b(?:${SPEAKS_OF_TEXTS})\\b)[^,;:]*? (?:in|as)|(?:give|list|write|provide)(?: me)?) (?<words>${N} (?:${UNITS["bullet-points"]}))(?<rest>.*)$`,
    "i",
  ),
};

/** "a numbered list with exactly six steps", "exactly seven terms as a bulleted list". */
const KIND_OF_LIST = "(?:numbered|bulleted|bullet|ordered|unordered) list";
const LIST = new RegExp(
  `^${LEAD}${REQUESTS}\\b[^;:]*? ${KIND_OF_LIST} (?:with|of) (?:exactly |precisely )?(?<n>${NUMBER}) [a-z]+s(?![\\w-])|^${LEAD}${REQUESTS}\\b[^;:]*? (?:exactly |precisely )(?<n>${NUMBER}) (?:[a-z]+ ){1,3}(?:as|in) an? ${KIND_OF_LIST}(?![\\w-])`,
  "i",
);

/** A count limit with the words that state it. */
interface StatedCount {
  limit: CountLimit;
  words: string;
}

/**
 * Reads the limits of length in a sentence. If the task requests several works, only those that say that
 * they concern the whole. Leaves out a unit of which the task mentions another amount.
 */
export function readCounts(sentence: string, statements: Statements): CountLimit[] {
  return FORMS.flatMap(({ kind, forms, mentions }): CountLimit[] => {
    const isOne = kind === "bullet-points" ? statements.isOneList : statements.isOneWork;
    const found =
      readForms(sentence, kind, forms, isOne) ?? (isOne ? readBare(sentence, kind) : null);
    if (!found) return [];
    const others = statements.text.replace(found.words, "");
    return others.search(mentions) < 0 ? [found.limit] : [];
  });
}

function readForms(
  sentence: string,
  kind: CountedUnit,
  forms: readonly { pattern: RegExp; toBounds: ToBounds }[],
  isOne: boolean,
): StatedCount | null {
  const found = forms
    .flatMap(({ pattern, toBounds }) => {
      const match = pattern.exec(sentence);
      return match ? [{ match, toBounds }] : [];
    })
    .toSorted((one, other) => other.match[0].length - one.match[0].length);
  const [longest] = found;
  if (!longest) return null;
  const { match, toBounds } = longest;
  const [words] = match;
  const before = sentence.slice(0, match.index);
  const after = sentence.slice(match.index + words.length);
  const saysWhole = SAYS_WHOLE.test(sentence) && !/\b(?:each|every|per)\b/i.test(sentence);
  const isOfOneWork = isOne && (kind === "bullet-points" || !namesPart(before + after));
  if (!saysWhole && !isOfOneWork) return null;
  const [min, max] = toBounds(parseNumber(match.groups?.n), parseNumber(match.groups?.m));
  const isPossible = (min ?? 0) <= (max ?? Number.POSITIVE_INFINITY) && (max ?? 1) > 0;
  const isOnly = found.every((other) => words.includes(other.match[0]));
  return isOnly && isPossible && isAboutWhole(before, after)
    ? { limit: { kind, min, max }, words }
    : null;
}

const isAboutWhole = (before: string, after: string): boolean =>
  (BEFORE.some((pattern) => pattern.test(before)) && AFTER.test(after)) ||
  (BEFORE_SUBJECT.test(before) && SUBJECT.test(after)) ||
  (BEFORE_BRACKET.test(before) && after.startsWith(")")) ||
  (/^(?:in|using) $/i.test(before) && FIRST.test(after));

function readBare(sentence: string, kind: CountedUnit): StatedCount | null {
  const match = kind === "bullet-points" ? LIST.exec(sentence) : null;
  const {
    n,
    rest = "",
    words = match?.[0] ?? "",
  } = match?.groups ?? BARE[kind]?.exec(sentence)?.groups ?? {};
  if (n === undefined || (!match && (!SUBJECT.test(rest) || namesPart(sentence)))) return null;
  const count = parseNumber(n);
  return { limit: { kind, min: count, max: count }, words };
}
