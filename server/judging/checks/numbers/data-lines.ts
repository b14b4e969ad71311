import type { DataTable } from "./data-table";
import { type Exact, toSigned } from "./figures";
import { listProseAmounts } from "./labelled-amounts";
import { readProseSeries } from "./prose-series";
import { listSeasons, listYears, toSeasonOrder } from "./terms";
import { listNameTerms } from "./vocabulary";

/** A figure of a line. */
export interface Point {
  value: Exact;
  year: number | null;
  /** Year, quarter and month as a number that grows with time; null if undated. */
  time: number | null;
  /** Quarters and months that its labels name. */
  seasons: string[];
  row: number;
  column: number;
}

/** What a row or column is called, without its dates. */
export interface Name {
  label: string;
  /** Empty for one that only has a date, or is called "Total" or the like. */
  terms: string[];
  /** Words of the heading above it, which a question may add. */
  sectionTerms: string[];
  isTotal: boolean;
}

/** Figures of the same kind, such as net sales by year. */
export interface Line {
  /** Index of the table; -1 for figures that sentences state. */
  table: number;
  /** Names of its row and column. */
  names: [Name, Name];
  points: Point[];
  isPercent: boolean;
  /** Whether a formula gives them. */
  isDerived?: boolean;
}

interface Axis {
  name: Name;
  year: number | null;
  seasons: string[];
}

const MAX_LINES = 300;
const MAX_POINTS = 40;
const TOTAL = /\btotals?\b|^\W*(?:sum|all|overall|combined)\b/i;

/** Returns the lines of the tables and sentences of a task. */
export function listLines(tables: readonly DataTable[], prose: string): Line[] {
  const inTables = tables.flatMap(readLines);
  const inProse = listProseLines(prose).filter(
    (line) => !inTables.some((other) => repeats(line, other)),
  );
  return [...inTables, ...inProse].slice(0, MAX_LINES);
}

/** Returns whether a sentence repeats figures of a table. */
const repeats = (line: Line, other: Line) =>
  line.points.every(({ value }) => other.points.some((point) => point.value.eq(value))) &&
  line.names[0].terms.some((term) => other.names.some(({ terms }) => terms.includes(term)));

function readLines({ corner, columns, rows }: DataTable, table: number): Line[] {
  const across = columns.map((label) => readAxis(label, ""));
  const lines = new Map<string, Line>();
  rows.forEach(({ label, section, cells }, row) => {
    const down = readAxis(label, section);
    cells.forEach((cell, column) => {
      const side = across[column];
      if (!cell || !side) return;
      const key = JSON.stringify([
        down.name.terms,
        down.name.isTotal,
        section,
        side.name.terms,
        side.name.isTotal,
      ]);
      const line = lines.get(key) ?? {
        table,
        names: [down.name, side.name],
        points: [],
        isPercent: cell.isPercent,
      };
      const year = side.year ?? down.year;
      const seasons = [...down.seasons, ...side.seasons];
      const time =
        year === null && seasons.length === 0 ? null : (year ?? 0) * 12 + toSeasonOrder(seasons[0]);
      if (line.points.length === MAX_POINTS) return;
      line.points.push({ value: toSigned(cell), year, time, seasons, row, column });
      lines.set(key, line);
    });
  });
  // "Total", under "Contractual obligations", is the total of the contractual obligations.
  const terms = listNameTerms(corner);
  const totals = [...lines.values()].flatMap(({ names: [down, side], ...line }): Line[] =>
    terms.length > 0 && down.isTotal && down.terms.length === 0
      ? [{ ...line, names: [{ ...down, terms }, side] }]
      : [],
  );
  return [...lines.values(), ...totals];
}

/** Columns of shares and changes, which are not what a question about sales or a change names. */
const IS_COMPARISON =
  /(?:%|\bpercent(?:age)?) of\b|^\W*(?:percent(?:age)?|%)?\W*(?:change|variance|growth|increase|inc|chg)\b[^a-z]*(?:(?:decrease|dec|vs|versus|from|to|percent(?:age)?)\b[^a-z]*)*$/i;
/** Name of such columns; no question has this word. */
const COMPARISON_TERM = "%";
const YEAR = /\b(?:FY\s?|CY\s?)?(?:19|20)\d\d\b/gi;

function readAxis(label: string, section: string): Axis {
  const bare = label.replace(/\([^)]{0,60}\)/g, " ");
  const [year, ...others] = listYears(label);
  const own = IS_COMPARISON.test(label)
    ? [COMPARISON_TERM]
    : listNameTerms(/\p{L}/u.test(bare) ? bare : label);
  const isTotal = TOTAL.test(label);
  const heading = listNameTerms(section);
  return {
    // A total of a section is a total of what its heading names.
    name: {
      label: label.replace(YEAR, " ").trim(),
      terms: own.length > 0 ? own : isTotal || !/\p{L}/u.test(bare) ? heading : [],
      sectionTerms: own.length > 0 && !isTotal ? heading : [],
      isTotal,
    },
    year: others.length > 0 ? null : (year ?? null),
    seasons: listSeasons(label),
  };
}

const EMPTY: Name = { label: "", terms: [], sectionTerms: [], isTotal: false };

function listProseLines(prose: string): Line[] {
  const series = readProseSeries(prose).map(({ terms, years, values, isPercent }): Line => {
    const name = {
      label: "",
      terms: listNameTerms(terms.join(" ")),
      sectionTerms: [],
      isTotal: false,
    };
    const points = values.map((value, at) => toProsePoint(value, years[at] ?? null, at));
    return { table: -1, names: [name, EMPTY], points, isPercent };
  });
  const amounts = new Map<string, Line>();
  const known = new Set(series.flatMap(({ points }) => points.map(({ value }) => value.toFixed())));
  for (const { label, year, value, isPercent } of listProseAmounts(prose)) {
    if (known.has(value.toFixed())) continue;
    const name = {
      label,
      terms: listNameTerms(label),
      sectionTerms: [],
      isTotal: TOTAL.test(label),
    };
    const key = name.terms.join(" ");
    const line = amounts.get(key) ?? { table: -1, names: [name, EMPTY], points: [], isPercent };
    line.points.push(toProsePoint(value, year, line.points.length));
    amounts.set(key, line);
  }
  return [...series, ...amounts.values()];
}

const toProsePoint = (value: Exact, year: number | null, column: number): Point => ({
  value,
  year,
  time: year === null ? null : year * 12,
  seasons: [],
  row: 0,
  column,
});

/** Returns the points of a line in the periods that the question names; all if it names none. */
export function pickPoints(line: Line, question: string): Point[] {
  const years = listYears(question);
  const seasons = listSeasons(question);
  const isDated = line.points.some(({ year }) => year !== null);
  return line.points.filter(
    (point) =>
      (years.length === 0 || !isDated || point.year === null || years.includes(point.year)) &&
      (seasons.length === 0 ||
        point.seasons.length === 0 ||
        point.seasons.some((season) => seasons.includes(season))),
  );
}
