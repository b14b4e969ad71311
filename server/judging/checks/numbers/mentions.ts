import { type Line, type Name, pickPoints } from "./data-lines";
import { listSeasons, listYears, toSingular } from "./terms";
import { listNameTerms, normaliseWords } from "./vocabulary";

/** A word of a question, with where it is. */
export interface QuestionWord {
  term: string;
  at: number;
}

/** Words of a question that name a row, a column or an amount. */
export interface Mention {
  name: Name;
  /** Indices of the words. */
  words: number[];
  /** How many words of the name the question leaves out. */
  missing: number;
}

/** Lines that a question names by the same words. */
export interface Operand {
  lines: Line[];
  /** Index of the first word that names them. */
  place: number;
  words: number[];
  /** Whether the words name these lines and no others. */
  isCertain: boolean;
  /** Whether the question repeats the whole name. */
  isFull: boolean;
}

/** Bounds the time that tables with many equal labels take. */
const MAX_SAME = 8;
/** Longest run of other words inside a name, as in "revenue from our products". */
const MAX_GAP = 2;

/** Asks for a part of something, unlike "per share". */
const SHARE_OF = /\bshare of\b/gi;

/** Returns the words of a question that may name something. */
export function readWords(question: string): QuestionWord[] {
  const text = normaliseWords(question.replace(SHARE_OF, " "));
  return [...text.matchAll(/[\p{L}][\p{L}\p{N}&]*/gu)].flatMap((match, at) => {
    const [term] = listNameTerms(match[0]);
    return term === undefined ? [] : [{ term: toSingular(term), at }];
  });
}

/** Finds where the question names something: the place that repeats most words of the name. */
function findMention(name: Name, words: readonly QuestionWord[]): Mention | null {
  const known = [...name.terms, ...name.sectionTerms];
  let best: number[] = [];
  let missing = 0;
  for (let from = 0; from < words.length; from++) {
    const first = words[from];
    if (!first || !known.includes(first.term)) continue;
    const found = [from];
    const seen = new Set([first.term]);
    for (
      let next = from + 1, last = from;
      next < words.length && next - last <= MAX_GAP + 1;
      next++
    ) {
      const word = words[next];
      if (!word || seen.has(word.term) || !known.includes(word.term)) continue;
      seen.add(word.term);
      found.push(next);
      last = next;
    }
    // "Sales was cost of sales" has "cost of sales" at its end.
    const isInOrder = first.term === name.terms[0] && words[best[0] ?? 0]?.term !== first.term;
    const isBetter =
      found.length > best.length || (found.length === best.length && isInOrder && best.length > 1);
    if (isBetter && name.terms.some((term) => seen.has(term))) {
      best = found;
      missing = name.terms.filter((term) => !seen.has(term)).length;
    }
  }
  // "The change in warranties" does not name "change in estimates".
  const isGeneric = missing > 0 && best.every((at) => GENERIC.has(words[at]?.term ?? ""));
  return best.length === 0 || isGeneric ? null : { name, words: best, missing };
}

/** Words of questions that say what to do, and of names that say what kind of figure they are. */
const GENERIC = new Set(
  "change increase decrease growth decline difference average net other total gain".split(" "),
);

const isInside = (one: readonly number[], other: readonly number[]) =>
  one.every((word) => other.includes(word));

/** Returns whether the words of one mention are better explained by another. */
function isDominated(one: Mention, other: Mention): boolean {
  if (one.words.length > other.words.length || !isInside(one.words, other.words)) return false;
  return other.words.length > one.words.length || other.missing < one.missing;
}

const countGaps = ({ words }: Mention) => (words.at(-1) ?? 0) - (words[0] ?? 0) + 1 - words.length;

/** Returns whether one mention takes its words from another that needs no gap. */
function isStretched(one: Mention, other: Mention): boolean {
  // "R&D costs as a percentage of revenue" is not about the cost of revenue.
  const isLonger = other.missing === 0 && other.words.length > one.words.length;
  if (isLonger && one.words.length > 1 && sharesSome(one, other)) return true;
  if (countGaps(one) === 0 || countGaps(other) > 0 || other.missing > one.missing) return false;
  return sharesSome(one, other);
}

/** Returns whether mentions share words, but not all of the second. */
const sharesSome = (one: Mention, other: Mention) =>
  one.words.some((word) => other.words.includes(word)) && !isInside(other.words, one.words);

/** Finds the lines that a question names. */
export function findOperands(question: string, lines: readonly Line[]): Operand[] {
  const words = readWords(question);
  const names = new Map<string, Name>();
  for (const { names: both } of lines)
    for (const name of both) if (name.terms.length > 0) names.set(toKey(name), name);
  const all = [...names.values()]
    .map((name) => findMention(name, words))
    .filter((mention) => mention !== null);
  const tight = all.filter((mention) => !all.some((other) => isStretched(mention, other)));
  const mentions = tight.filter((mention) => !tight.some((other) => isDominated(mention, other)));
  const byName = new Map(mentions.map((mention) => [toKey(mention.name), mention]));
  const named = lines.flatMap((line): Named[] => {
    const found = line.names.map((name) => byName.get(toKey(name)));
    const own = found.filter((mention) => mention !== undefined);
    if (own.length === 0) return [];
    const unnamed = line.names.filter((name, at) => name.terms.length > 0 && !found[at]).length;
    const used = [...new Set(own.flatMap((mention) => mention.words))].toSorted((a, b) => a - b);
    const missing = own.reduce((total, mention) => total + mention.missing, 0);
    return [{ line, words: used, unnamed, missing }];
  });
  // One common word of a long name, such as "tax", names nothing.
  const likely = named.filter((one) => one.missing < 2 * one.words.length || one.missing < 2);
  const closest = likely.filter((one) => !likely.some((other) => isCloser(other, one)));
  const groups = new Map<string, Named[]>();
  for (const one of closest) {
    const key = one.words.join();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const operands = [...groups.values()].map((group): Operand => {
    const chosen = preferTotals(group, question);
    const [first] = chosen;
    const used = first?.words ?? [];
    const similar = named.filter((one) => one.words.join() === used.join() && one.unnamed === 0);
    return {
      lines: chosen.slice(0, MAX_SAME).map(({ line }) => line),
      place: used[0] ?? 0,
      words: used,
      isFull: chosen.every((one) => one.missing === 0),
      isCertain:
        chosen.every(({ line }) => line.isDerived) ||
        (chosen.length === 1 &&
          first?.unnamed === 0 &&
          (first.missing === 0 || (first.missing <= used.length && similar.length === 1))),
    };
  });
  const sorted = operands.toSorted((a, b) => a.place - b.place);
  // A measure explains the parts that the question may also name.
  const derived = sorted.filter((operand) => operand.lines.some(({ isDerived }) => isDerived));
  if (derived.length > 0) return derived;
  return sorted.length > 0 ? dropUnasked(sorted, question) : findUnnamed(question, lines);
}

interface Named {
  line: Line;
  words: number[];
  /** How many of its two names the question leaves out. */
  unnamed: number;
  missing: number;
}

/** Returns whether a line explains the same words better, such as a cell rather than its row. */
function isCloser(other: Named, one: Named): boolean {
  if (!isInside(one.words, other.words)) return false;
  if (other.words.length !== one.words.length) return other.words.length > one.words.length;
  if (other.unnamed !== one.unnamed) return other.unnamed < one.unnamed;
  return other.missing < one.missing;
}

const countTotals = ({ names }: Line) => names.filter(({ isTotal }) => isTotal).length;
const isTotalLine = (line: Line) => countTotals(line) > 0;

/** Of amounts and their prices or rates, keeps what the question asks for; tables before sentences. */
function preferAmounts(group: readonly Named[], question: string): readonly Named[] {
  const inTables = group.filter(({ line }) => line.table >= 0);
  const all = inTables.length > 0 ? inTables : group;
  const amounts = all.filter(({ line }) => !line.names.some(({ label }) => RATE.test(label)));
  return amounts.length > 0 && !RATE.test(question) ? amounts : all;
}

const RATE = /\bprice|\brates?\b|\bper\b|\bfair value\b|%|\bterm\b|\btarget\b/i;

/** Of a total and its parts, which have the same words, keeps what the question asks for. */
function preferTotals(group: readonly Named[], question: string): readonly Named[] {
  const most = Math.max(...group.map(({ line }) => countTotals(line)));
  const totals = group.filter(({ line }) => countTotals(line) === most);
  const others = group.filter(({ line }) => countTotals(line) < most);
  if (others.length === 0) return preferAmounts(group, question);
  const isDated = listYears(question).length + listSeasons(question).length > 0;
  const covers = others.some(
    ({ line }) => isDated && pickPoints(line, question).length > 0 && line.points.length > 1,
  );
  return /\btotal\b/i.test(question) && !covers ? totals : preferAmounts(others, question);
}

/** Drops totals that only say what the parts are of, as in "revenue of the segment". */
function dropUnasked(operands: readonly Operand[], question: string): Operand[] {
  if (
    operands.length < 2 ||
    /\b(?:total|all|overall|entire|whole|consolidated|company-wide)\b/i.test(question)
  )
    return [...operands];
  const tables = new Set(
    operands
      .filter(({ lines }) => !lines.some(isTotalLine))
      .flatMap(({ lines }) => lines.map(({ table }) => table)),
  );
  return operands.filter(
    ({ lines }) => !lines.every((line) => isTotalLine(line) && tables.has(line.table)),
  );
}

/** Returns the only figures without a name, or the only total: the question names the table. */
function findUnnamed(question: string, lines: readonly Line[]): Operand[] {
  const bare = lines.filter(
    ({ names, points }) =>
      names.every(({ terms }) => terms.every((term) => term === "balance")) && points.length > 1,
  );
  const wanted = bare.filter((line) => isTotalLine(line) === /\btotal\b/i.test(question));
  const chosen = wanted.length > 0 ? wanted : bare;
  return chosen.length === 0
    ? []
    : [{ lines: chosen, place: 0, words: [], isCertain: chosen.length === 1, isFull: true }];
}

const toKey = ({ terms, sectionTerms, isTotal }: Name) =>
  `${terms.join(" ")}/${sectionTerms.join(" ")}${isTotal ? " total" : ""}`;
