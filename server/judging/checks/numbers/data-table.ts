// Parts of patterns. cspell:ignore erence
import { type Figure, readFigures, toDecimalPoints } from "./figures";

export interface DataRow {
  label: string;
  /** Heading of the rows around it; empty if there is none. */
  section: string;
  /** One for each column of the table; null if the cell states no number. */
  cells: (Figure | null)[];
}

/** A table of figures with labelled rows and columns. */
export interface DataTable {
  /** Words above the labels of the rows, such as "Contractual obligations". */
  corner: string;
  columns: string[];
  rows: DataRow[];
  /** Lines of the text, `to` exclusive. */
  from: number;
  to: number;
}

const MAX_TABLES = 20;
const MAX_ROWS = 120;
/** In a row. Without a limit, nothing but separators would take quadratic time. */
const MAX_SEPARATORS = 20;
const SEPARATOR = /^[\s|:+=-]+$/;

/** Returns the tables of figures in a text: Markdown, other pipes, tabs, CSV, lists, aligned text. */
export function readTables(text: string): DataTable[] {
  const lines = toDecimalPoints(text).split("\n");
  const tables: DataTable[] = [];
  for (let at = 0; at < lines.length && tables.length < MAX_TABLES; ) {
    const block = lines[at]?.trim() ? readBlock(lines, at) : null;
    const table = block && toTable(block.grid, at, block.to);
    if (table) tables.push(table);
    at = block ? block.to : at + 1;
  }
  return tables;
}

interface Block {
  grid: string[][];
  to: number;
}

/** Commas between thousands, in a line that has spaces between its figures. */
const THOUSANDS = /[\s$(]\d{1,3},\d{3}(?!\d)[^,\n]*\s[$(]?\d/;

/** Splits a line of a table into cells, or returns null if it belongs to no table of its kind. */
const SPLITTERS: ((line: string) => string[] | null)[] = [
  (line) => (line.includes("|") ? line.split("|") : null),
  (line) => (line.includes("\t") ? line.split("\t") : null),
  (line) => (/^\s*\[?\s*\[.*\]\s*,?\s*\]?\s*$/.test(line) ? splitList(line) : null),
  (line) =>
    /^[^,\n]{1,80}(?:,(?!\s)[^,\n]{0,40}){2,}$/.test(line) && !THOUSANDS.test(line)
      ? line.split(",")
      : null,
  splitAligned,
];

function readBlock(lines: readonly string[], from: number): Block | null {
  const inline = splitNestedList(lines[from] ?? "");
  if (inline) return { grid: inline, to: from + 1 };
  for (const split of SPLITTERS) {
    const grid: string[][] = [];
    let to = from;
    let separators = 0;
    for (; to < lines.length && grid.length < MAX_ROWS; to++) {
      const line = lines[to] ?? "";
      if (line.length > 3_000) break;
      const isHeading =
        grid.length > 0 &&
        split === splitAligned &&
        isSectionHeading(line, lines.slice(to + 1, to + 3));
      const cells = isHeading ? [line] : split(line);
      if (!cells) break;
      separators = SEPARATOR.test(line) ? separators + 1 : 0;
      if (separators === 0) grid.push(cells.map((cell) => cleanCell(cell)));
      else if (separators > MAX_SEPARATORS) break;
    }
    if (grid.length >= 2 && grid.some((cells) => cells.length >= 2))
      return { grid: mergeSymbols(trimOuter(grid)), to };
  }
  return null;
}

const HEADING = /^\s{0,20}\(?\p{L}[^\d.?!]{2,80}$/u;

/** Returns whether a line without figures is above further lines of an aligned table. */
function isSectionHeading(line: string, [next = "", afterNext = ""]: readonly string[]): boolean {
  if (!HEADING.test(line)) return false;
  return splitAligned(next) !== null || (HEADING.test(next) && splitAligned(afterNext) !== null);
}

const cleanCell = (cell: string) =>
  cell
    .replace(/[*_`"]+/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Removes a first or last cell that is empty in every line: the outer pipes of Markdown. */
function trimOuter(grid: string[][]): string[][] {
  const isFramed = grid.every(([first, ...rest]) => first === "" && rest.length > 0);
  const isClosed = grid.every((cells) => cells.length > 2 && cells.at(-1) === "");
  return grid.map((cells) => cells.slice(isFramed ? 1 : 0, isClosed ? -1 : cells.length));
}

/**
 * Merges columns that hold only currency signs with the column of their amounts. Headings may have
 * no cells above the signs.
 */
function mergeSymbols(grid: string[][]): string[][] {
  const width = Math.max(...grid.map(({ length }) => length));
  const widest = grid.filter(({ length }) => length === width);
  const isSymbols = (column: number) => {
    const cells = widest
      .map((row) => row[column] ?? "")
      .filter((cell) => readCell(cell) === null || !isPeriod(cell));
    return (
      cells.some((cell) => SYMBOL.test(cell)) &&
      cells.every((cell) => cell === "" || SYMBOL.test(cell))
    );
  };
  const columns = Array.from({ length: width }, (_, column) => column).filter(
    (column) => column > 0 && isSymbols(column),
  );
  if (columns.length === 0) return grid;
  const isWithoutSigns = (row: readonly string[]) => row.length === width - columns.length;
  return grid.map((row) =>
    row.flatMap((cell, column) => {
      if (isWithoutSigns(row)) return [cell];
      if (columns.includes(column)) return [];
      const before = columns.includes(column - 1) ? (row[column - 1] ?? "") : "";
      return [SYMBOL.test(before) ? cell : `${before} ${cell}`.trim()];
    }),
  );
}

const SYMBOL = /^[$€£¥%)]$/;

function splitList(line: string): string[] {
  return [...line.matchAll(/"([^"]{0,300})"|'([^']{0,300})'|([^\s,[\]"']{1,60})/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** Splits a list of lists on one line, such as [["", "2019"], ["Revenue", "10"]]. */
function splitNestedList(line: string): string[][] | null {
  if (line.length > 20_000 || !/\[\s*\[/.test(line)) return null;
  const rows = [...line.matchAll(/\[([^[\]]{1,1000})\]/g)].map(([, row = ""]) => splitList(row));
  return rows.length >= 2 ? rows.map((cells) => cells.map(cleanCell)) : null;
}

/** Splits lines of statements without separators: a label and then at least two figures or years. */
function splitAligned(line: string): string[] | null {
  const periods = splitPeriods(line);
  if (periods) return periods;
  const match =
    /^\s{0,20}(\S.{0,100}?)?((?:\s+(?:[-–—]|\(?\s?[$€£]?\s?\(?[\d.,]{1,20}\)?\s?%?\)?)){2,8})\s*$/.exec(
      line.replace(/\$\s+/g, "$").slice(0, 300),
    );
  if (!match) return null;
  const [, label = "", figures = ""] = match;
  if (/[.!?]$/.test(label)) return null;
  const cells = figures.trim().split(/\s+(?![%)])/);
  // A line of years has no label.
  return /^[\d.,$()]+$/.test(label) ? ["", label, ...cells] : [label, ...cells];
}

/** Splits a line of headings such as "Year ended June 30   2022   2021" or "Q4 FY23   Q3 FY23". */
function splitPeriods(line: string): string[] | null {
  if (line.length > 300 || !/(?:19|20|FY ?|['’])\d\d\s*$/i.test(line)) return null;
  const cells = line
    .trim()
    .split(/\s{2,}/)
    .flatMap((cell) => (/^(?:(?:19|20)\d\d ?){2,}$/.test(cell) ? cell.split(" ") : [cell]));
  const first = cells.findIndex((cell) => isPeriod(cell));
  const periods = first < 0 ? [] : cells.slice(first);
  if (periods.length < 2 || first > 1 || !periods.every(isPeriod)) return null;
  return [cells.slice(0, first).join(" "), ...periods];
}

function toTable(grid: string[][], from: number, to: number): DataTable | null {
  const rows: DataRow[] = [];
  let headers: string[][] = [];
  let section = "";
  const rawRows: { label: string; section: string; cells: string[] }[] = [];
  for (const [first = "", ...rest] of grid) {
    const filled = rest.filter((cell) => cell !== "");
    if (filled.length === 0) section = first;
    else if (
      filled.every((cell) => readCell(cell) === null) ||
      filled.every(isPeriod) ||
      (rawRows.length === 0 && (isWordy(filled) || isHeaderOfPeriods(filled)))
    ) {
      // A heading below data begins another part of the table, which has columns of its own.
      if (rawRows.length > 0) break;
      headers = [...headers, [first, ...rest]];
    } else if (filled.some((cell) => readCell(cell) !== null)) {
      rawRows.push({
        label: first,
        section,
        cells: rest,
      });
    }
  }
  const width = findUsualWidth(rawRows.map(({ cells }) => cells.length));
  const columns = readColumns(headers, width);
  if (rawRows.length === 0 || width === 0 || columns === null) return null;
  for (const { label, section: heading, cells } of rawRows) {
    // A row with further cells may be out of step with the headings.
    if (headers.length > 0 && cells.length > width) continue;
    const figures = columns.map((name, index) =>
      IS_REFERENCE.test(name) ? null : readCell(cells[index] ?? ""),
    );
    rows.push({ label, section: heading, cells: figures });
  }
  return { corner: headers.map(([first = ""]) => first).join(" "), columns, rows, from, to };
}

/** Names of columns that number the notes of a report. */
const IS_REFERENCE = /^\W*(?:notes?|ref(?:erence)?|no)\W*$/i;

/** Returns the width that most rows have; the larger one of two that are equally common. */
function findUsualWidth(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [usual] = [...counts].toSorted(([a, m], [b, n]) => n - m || b - a);
  return usual?.[0] ?? 0;
}

/** Returns whether cells are periods and words about them, such as "% change 2009 versus 2008". */
function isHeaderOfPeriods(cells: readonly string[]): boolean {
  return (
    cells.filter(isPeriod).length > 1 &&
    cells.every((cell) => isPeriod(cell) || /\p{L}{3}/u.test(cell) || readCell(cell) === null)
  );
}

/** Returns whether cells are headings such as "2-3 years", rather than figures with units. */
function isWordy(cells: readonly string[]): boolean {
  const named = cells.filter((cell) =>
    /[a-z]{3}/i.test(cell.replace(/\b(?:thousand|million|billion|percent|usdc?|eur|gbp)\b/gi, "")),
  );
  return named.length * 2 >= cells.length;
}

/** Joins the header cells above each column. Returns null if they do not fit the columns. */
function readColumns(headers: readonly string[][], width: number): string[] | null {
  const fitting = headers
    .map(([, ...cells]) => cells)
    .map((cells) => (cells.length > width ? cells.filter((cell) => cell !== "") : cells))
    .filter((cells) => cells.length === width)
    .map((cells, index, all) => (index < all.length - 1 ? spreadHeadings(cells) : cells));
  // A heading of one cell spans the table; any other must fit it.
  const isTitle = ([, ...cells]: readonly string[]) =>
    cells.filter((cell) => cell !== "").length < 2;
  if (headers.length > 0 && fitting.length === 0 && !(width === 1 || headers.every(isTitle)))
    return null;
  return Array.from({ length: width }, (_, index) =>
    fitting
      .map((cells) => cells[index] ?? "")
      .filter((cell) => cell !== "")
      .join(" "),
  );
}

/**
 * Repeats headings that span columns, such as "Three months ended" above "2020" and "2019". Those in
 * the middle of their columns are left as they are.
 */
function spreadHeadings(cells: readonly string[]): string[] {
  if (!cells[0]) return [...cells];
  let last = "";
  return cells.map((cell) => {
    last = cell || last;
    return last;
  });
}

/** Returns whether a cell only names a year, date or quarter. */
function isPeriod(cell: string): boolean {
  if (/^(?:Q[1-4]|[1-4]Q|H[12])?\s?(?:FY|CY)\s?'?(?:\d\d)?\d\d$/i.test(cell)) return true;
  if (/^[a-z]{3,9}[ .]{0,3}\d{1,2}(?:19|20)\d\d$/i.test(cell)) return true;
  return (
    /\b(?:19|20)\d\d\b|'\d\d\b|\/\d\d\b/.test(cell) &&
    /^(?:[a-z .]{0,24}\s?)?(?:\d{1,2}[\s,/.-]+){0,2}(?:FY\s?)?'?(?:19|20)?\d\d[a-z\s)(*]{0,16}$/i.test(
      cell,
    )
  );
}

/** Returns the figure of a cell, or null if the cell is text. */
export function readCell(cell: string): Figure | null {
  const [figure] = readFigures(
    cell
      .slice(cell.lastIndexOf("=") + 1)
      .replace(/([$€£])\s+(?=[-(\d.])/g, "$1")
      .replace(/^\.(?=\d)/, "0."),
  );
  if (!figure) return null;
  const letters = cell.match(/\p{L}/gu)?.length ?? 0;
  if (letters > 12 || /\d{1,2}\/\d{1,2}\/\d{2}/.test(cell)) return null;
  // Statements also write "(1,233)" as "-1233 ( 1233 )"; "(1,233" lacks the bracket of a column of its own.
  const isNegative = figure.isNegative || /^\(\s?[$€£]?\s?[\d.,]+$/.test(cell.trim());
  return { ...figure, isNegative };
}
