import { type Line, type Point, pickPoints } from "./data-lines";
import type { Expected } from "./expected-answers";
import { Exact, sum } from "./figures";
import type { Operand } from "./mentions";
import type { Question } from "./question";
import { listYears } from "./terms";

/** Bounds the time that questions with many matching lines take. */
const MAX_VALUES = 4_000;

/** What a question is about, and the other figures of the same tables. */
export interface Reading {
  question: Question;
  operands: readonly Operand[];
  lines: readonly Line[];
}

/** Returns every value that some reasonable reading of the question gives. */
export function listPlausible(reading: Reading): Expected[] {
  const values = listOperations(reading).flatMap((operation) => OPERATIONS[operation](reading));
  const { operands, question } = reading;
  const perUnit = isPerUnit(question, operands)
    ? listPairs(reading).flatMap(([a, b]) => quotient(a, b))
    : [];
  if (perUnit.length > 0) return perUnit;
  return [...values, ...listNested(reading), ...listReturns(reading)].slice(0, MAX_VALUES);
}

/** Returns whether a question asks for one amount per unit, or as a multiple, of another. */
export function isPerUnit({ operation, text }: Question, operands: readonly Operand[]): boolean {
  const isAsked = /\bper\b/i.test(text) || (/\bto\b/i.test(text) && listYears(text).length < 2);
  return (operation === "value" || operation === "average") && operands.length === 2 && isAsked;
}

/** A measure already is the ratio, share or average that the question asks for. */
function listOperations({
  question: { operation, text },
  operands,
}: Reading): Question["operation"][] {
  const isDerived = operands.some(({ lines }) => lines.some((line) => line.isDerived));
  if (!isDerived || /change|difference|growth/.test(operation)) return [operation];
  const isOver = listYears(text).length > 1 || readSpan(text) !== null;
  return operation === "average" && isOver ? ["value", "average"] : ["value"];
}

/** Returns the returns of indexed investments, which start at 100. */
function listReturns({ question, operands }: Reading): Expected[] {
  const indexed = operands.flatMap(({ lines }) => lines).filter(isIndexed);
  if (indexed.length === 0) return [];
  const returns = indexed.map((line) =>
    pairPoints(line, question).flatMap(([from, to]) => relative(from.value, to.value)),
  );
  const [first = [], second = []] = returns;
  const gaps = first.flatMap((a) => second.flatMap((b) => listPoints(a.value.minus(b.value))));
  return [...gaps, ...(second.length === 0 ? first : [])];
}

/** Returns whether a line starts at 100, like the value of an investment over time. */
export const isIndexed = ({ points }: Line): boolean =>
  points.length > 2 &&
  points.some(
    ({ value, time }) => value.eq(100) && points.every((other) => (other.time ?? 0) >= (time ?? 0)),
  );

const exact = (value: Exact): Expected => ({ value, isExact: true });
const rounded = (value: Exact): Expected => ({ value, isExact: false });
const quotient = (a: Exact, b: Exact): Expected[] => (b.isZero() ? [] : [rounded(a.div(b))]);
const relative = (from: Exact, to: Exact): Expected[] => quotient(to.minus(from), from.abs());

/** Values by operation, over the lines and periods that the question names. */
const OPERATIONS: Record<Question["operation"], (reading: Reading) => Expected[]> = {
  "percent-change": (reading) => [
    ...listChanges(reading).flatMap(([from, to, line]) => [
      ...relative(from.value, to.value),
      ...(line.isPercent ? listPoints(to.value.minus(from.value)) : []),
    ]),
    ...listPairs(reading).flatMap(([a, b]) => [...relative(a, b), ...relative(b, a)]),
  ],
  "growth-rate": (reading) =>
    listChanges(reading).flatMap(([from, to]) => {
      const years = Math.abs((to.time ?? 0) - (from.time ?? 0)) / 12;
      if (years === 0 || from.value.lte(0) || to.value.lte(0)) return [];
      return [rounded(to.value.div(from.value).pow(new Exact(1).div(years)).minus(1))];
    }),
  "point-change": (reading) => [
    ...listChanges(reading).flatMap(([from, to]) => listPoints(to.value.minus(from.value))),
    ...listPairs(reading).flatMap(([a, b]) => listPoints(a.minus(b))),
  ],
  share: listQuotients,
  ratio: listQuotients,
  difference: (reading) => [
    ...listChanges(reading).flatMap(([from, to]) => [
      exact(to.value.minus(from.value)),
      ...relative(from.value, to.value).map((value) => ({ ...value, isPercentOnly: true })),
    ]),
    ...listPairs(reading).map(([a, b]) => exact(a.minus(b))),
  ],
  sum: (reading) => [
    ...listGroups(reading, 2).map((group) => exact(sum(group))),
    ...listProducts(reading),
  ],
  average: (reading) =>
    listGroups(reading, 2).map((group) => rounded(sum(group).div(group.length))),
  value: (reading) => [
    ...listGroups(reading, 1)
      .filter(({ length }) => length === 1)
      .flatMap((group) => group.map(exact)),
    ...listProducts(reading),
  ],
};

/** Percentages are fractions of one; points and basis points are hundredths of them. */
const listPoints = (value: Exact): Expected[] => [
  exact(value),
  exact(value.mul(100)),
  exact(value.mul(10_000)),
];

/** Names the ends of a period, so that the years between them count too. */
const IS_WHOLE_RANGE =
  /(?:19|20)\d\d (?:through|thru|until) |\bfrom\b[^?]{0,20}(?:19|20)\d\d to\b|(?:19|20)\d\d ?[-–] ?(?:19|20)?\d\d/i;

const isRange = (text: string) =>
  /\b(?:from|between|through|over|during|to)\b|(?:19|20)\d\d ?[-–] ?(?:19|20)?\d\d|\b(?:two|three|four|five|ten|\d)[- ]years?\b/i.test(
    text,
  );

const SPAN_WORDS: Record<string, number> = { two: 2, three: 3, four: 4, five: 5, six: 6, ten: 10 };

/** Returns the number of years in "the three years" or "five-year period". */
export function readSpan(text: string): number | null {
  const word = /\b(two|three|four|five|six|ten|\d{1,2})[- ](?:fiscal )?years?\b/i
    .exec(text)?.[1]
    ?.toLowerCase();
  return word ? (SPAN_WORDS[word] ?? Number(word)) : null;
}

/** Returns the points between the first and the last period that the question names. */
function pickRange(line: Line, question: Question): Point[] {
  const times = pickPoints(line, question.text).flatMap(({ time }) => time ?? []);
  const span = readSpan(question.text);
  if (span !== null && listYears(question.text).length < 2) {
    const end = Math.max(...times);
    return line.points.filter(({ time }) => time !== null && time <= end && time > end - span * 12);
  }
  const low = Math.min(...times);
  const high = Math.max(...times);
  return line.points.filter(({ time }) => time !== null && time >= low && time <= high);
}

/** Returns the pairs of points, earlier first, between which a line can be said to change. */
function listChanges({ question, operands }: Reading): [Point, Point, Line][] {
  return operands
    .flatMap(({ lines }) => lines)
    .flatMap((line) =>
      pairPoints(line, question).map(([from, to]): [Point, Point, Line] => [from, to, line]),
    );
}

function pairPoints(line: Line, question: Question): [Point, Point][] {
  const timed = line.points.filter(({ time }) => time !== null).toSorted(byTime);
  if (timed.length < 2) return allPairs(line.points);
  const asked = pickPoints(line, question.text)
    .filter(({ time }) => time !== null)
    .toSorted(byTime);
  const [first] = asked;
  const last = asked.at(-1);
  if (!first || !last) return [];
  const pairs: [Point, Point][] = [];
  if (asked.length >= 2) pairs.push([first, last]);
  const [start] = timed;
  // Indexed returns start at 100.
  const isAnnual = readSpan(question.text) === null && !/\bcumulative\b/i.test(question.text);
  if (start?.value.eq(100) && !isAnnual)
    return asked.filter((point) => point !== start).map((point): [Point, Point] => [start, point]);
  if (start?.value.eq(100))
    pairs.push(
      ...asked.filter((point) => point !== start).map((point): [Point, Point] => [start, point]),
    );
  const years = listYears(question.text);
  if (years.length === 1) {
    for (const point of asked) {
      const before = timed.filter(({ time }) => (time ?? 0) < (point.time ?? 0));
      const previous = before.findLast(({ seasons }) => seasons.join() === point.seasons.join());
      if (previous) pairs.push([previous, point]);
    }
    const next = timed.find(({ time }) => (time ?? 0) > (last.time ?? 0));
    if (pairs.length === 0 && next) pairs.push([last, next]);
  }
  if (asked.length > 2) {
    for (const [from, to] of allPairs(asked))
      if (from.seasons.join() === to.seasons.join() || years.length === 0) pairs.push([from, to]);
  }
  // "From 2019 to 2018" may be meant literally.
  const [one, other] = years;
  if (one !== undefined && other !== undefined && one > other && /\bfrom\b/i.test(question.text))
    pairs.push([last, first]);
  return pairs;
}

const byTime = (a: Point, b: Point) => (a.time ?? 0) - (b.time ?? 0);

const allPairs = (points: readonly Point[]): [Point, Point][] =>
  points.length > 12
    ? []
    : points.flatMap((a, i) => points.slice(i + 1).map((b): [Point, Point] => [a, b]));

/** Returns whether two figures belong together: those of one row, column or period. */
function isAligned(a: Point, b: Point, isSameTable: boolean): boolean {
  if (a.year !== null && b.year !== null && a.year !== b.year) return false;
  if (
    a.time !== null &&
    b.time !== null &&
    a.time !== b.time &&
    a.year === b.year &&
    a.seasons.length > 0 &&
    b.seasons.length > 0
  )
    return false;
  return !isSameTable || a.row === b.row || a.column === b.column;
}

/** Returns the pairs of figures of different operands, in the order of mention. */
function listPairs({ question, operands }: Reading): [Exact, Exact][] {
  return operands.flatMap((one, i) =>
    operands.slice(i + 1).flatMap((other) =>
      one.lines.flatMap((a) =>
        other.lines.flatMap((b) =>
          pickPoints(a, question.text).flatMap((x) =>
            pickPoints(b, question.text)
              .filter((y) => isAligned(x, y, a.table === b.table && a.table >= 0))
              .map((y): [Exact, Exact] => [x.value, y.value]),
          ),
        ),
      ),
    ),
  );
}

function listQuotients(reading: Reading): Expected[] {
  const { question, operands } = reading;
  const text = question.text.toLowerCase();
  const across = listPairs(reading);
  const isRatio = question.operation === "ratio";
  // One figure against that of another period.
  const within = operands.flatMap(({ lines }) =>
    lines.flatMap((line) => allPairs(pickPoints(line, question.text))),
  );
  const pairs =
    across.length > 0 ? across : within.map(([a, b]): [Exact, Exact] => [a.value, b.value]);
  const wholes = isRatio ? [] : listWholes(reading);
  if (
    isRatio &&
    across.length > 0 &&
    /\bratio of\b[^?]*\bto\b|\bdivided by\b|\bto\b[^?]*\bratio\b/.test(text)
  )
    return pairs.flatMap(([a, b]) => quotient(a, b));
  if (isRatio) return pairs.flatMap(([a, b]) => [...quotient(a, b), ...quotient(b, a)]);
  const both = pairs.flatMap(([a, b]): [Exact, Exact][] => [
    [a, b],
    [b, a],
  ]);
  const shares = [...both, ...wholes];
  if (
    /\bas an? (?:percent(?:age)?|share|proportion|fraction|portion|%) of\b/.test(text) &&
    across.length > 0
  )
    return across.flatMap(([a, b]) => quotient(a, b));
  // A part is not larger than the whole.
  return shares.filter(([a, b]) => a.abs().lte(b.abs())).flatMap(([a, b]) => quotient(a, b));
}

/** Returns named figures with the totals of their rows and columns. */
function listWholes({ question, operands, lines }: Reading): [Exact, Exact][] {
  const totals = lines.filter(({ names }) => names.some(({ isTotal }) => isTotal));
  const named = operands.flatMap((operand) => operand.lines);
  const parts = named.filter((line) => named.length === 1 || !totals.includes(line));
  return parts.flatMap((part) =>
    pickPoints(part, question.text).flatMap((point) =>
      totals
        .filter((total) => total.table === part.table && total !== part)
        .flatMap((total) =>
          total.points.filter((whole) => isAligned(point, whole, part.table >= 0)),
        )
        .map((whole): [Exact, Exact] => [point.value, whole.value]),
    ),
  );
}

/**
 * Returns the sets of figures that a question may want added or averaged. Sets of fewer than `size`
 * count only if there is no larger one, or if the figure is a total itself.
 */
function listGroups(reading: Reading, size: number): Exact[][] {
  const { question, operands } = reading;
  const lines = operands.flatMap((operand) => operand.lines);
  const asked = lines.map((line) =>
    IS_WHOLE_RANGE.test(question.text)
      ? pickRange(line, question)
      : pickPoints(line, question.text),
  );
  const ranges = isRange(question.text) ? lines.map((line) => pickRange(line, question)) : [];
  const values = (points: readonly Point[]) => points.map(({ value }) => value);
  const singles = asked.flatMap((points) => points.map((point) => [point.value]));
  const byPeriod = [...new Set(asked.flat().map(({ time }) => time))].map((time) =>
    asked.flatMap((points) => values(points.filter((point) => point.time === time))),
  );
  const spans = [...asked, ...ranges].map((points) => values(points));
  const all = [...singles, ...spans, ...byPeriod, values(asked.flat()), values(ranges.flat())];
  const large = all.filter(({ length }) => length >= size);
  const totals = lines.some(({ names }) => names.some(({ isTotal }) => isTotal)) ? singles : [];
  return large.length > 0 ? [...large, ...totals] : all.filter(({ length }) => length > 0);
}

const IS_RATE = /\bprice|\brates?\b|\bper\b|\bfair value\b|%/i;

const toLabel = ({ names }: Line) => names.map((name) => name.label).join(" ");

/** Returns quantities times prices or rates. */
function listProducts({ question, operands, lines }: Reading): Expected[] {
  const named = operands.flatMap((operand) => operand.lines);
  const isValue =
    /\b(?:values?|worth|amount|paid|spent|proceeds|cost|in (?:millions|thousands|dollars))\b/i.test(
      question.text,
    );
  const tables = new Set(named.map(({ table }) => table));
  const cells = isValue
    ? [
        ...named,
        ...lines.filter(
          (line) => tables.has(line.table) && !named.includes(line) && IS_RATE.test(toLabel(line)),
        ),
      ]
    : named;
  const rates = cells.filter((line) => line.isPercent || IS_RATE.test(toLabel(line)));
  const amounts = cells.filter((line) => !rates.includes(line));
  return rates.flatMap((rate) =>
    amounts.flatMap((amount) =>
      pickPoints(rate, question.text).flatMap((a) =>
        pickPoints(amount, question.text)
          .filter((b) => isAligned(a, b, rate.table === amount.table && rate.table >= 0))
          .map((b) => rounded(a.value.mul(b.value))),
      ),
    ),
  );
}

const CHANGE = /\b(?:change|increase|decrease|growth|decline|rise|drop|reduction)\b/i;

/** Returns differences and quotients of averages or sums, if the question has both. */
function listNested({ question, operands }: Reading): Expected[] {
  const { operation, text } = question;
  if (operation === "share" || operation === "ratio") {
    const changes = CHANGE.test(text)
      ? listChanges({ question, operands, lines: [] }).map(([from, to]) =>
          to.value.minus(from.value),
        )
      : [];
    const values = operands.flatMap(({ lines }) =>
      lines.flatMap((line) => pickPoints(line, text).map(({ value }) => value)),
    );
    const parts = changes.flatMap((change) =>
      [...values, ...changes]
        .filter((value) => value !== change)
        .flatMap((value) => [...quotient(value, change), ...quotient(change, value)]),
    );
    if (parts.length > 0) return parts;
  }
  const isGap = /\b(?:difference|change|increase|decrease|more|less|exceed)\b/i.test(text);
  if (!isGap && !["share", "ratio", "percent-change"].includes(operation)) return [];
  if (!/\b(?:average|mean|total|sum|combined|together)\b/i.test(text)) return [];
  const totals = operands.map(({ lines }) =>
    lines.flatMap((line) =>
      [pickPoints(line, question.text), pickRange(line, question)]
        .filter(({ length }) => length > 0)
        .map((points) => sum(points.map(({ value }) => value)).div(points.length)),
    ),
  );
  return totals.flatMap((one, i) =>
    totals.slice(i + 1).flatMap((other) =>
      one.flatMap((a) =>
        other.flatMap((b) => {
          if (isGap && operation !== "percent-change") return [rounded(a.minus(b))];
          if (operation === "percent-change") return [...relative(a, b), ...relative(b, a)];
          return [...quotient(a, b), ...quotient(b, a)];
        }),
      ),
    ),
  );
}
