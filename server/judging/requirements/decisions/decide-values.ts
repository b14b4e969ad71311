import { Decimal } from "decimal.js";
import {
  findMarkdownTables,
  isCollection,
  parseJson,
} from "@/server/judging/checks/formats/tables";
import type { RequirementOf } from "@/server/judging/requirements/schema";
import { parseCsv, readDocument } from "./decide-formats";
import {
  count,
  type Decision,
  type Decisions,
  normalisePhrase,
  parsePointer,
  type Reading,
} from "./reading";

/** A cell as JSON holds it, or as text. */
type Cell = string | number | boolean | null;

interface Table {
  header: string[];
  rows: Cell[][];
}

/**
 * Reads the deliverable's table: a JSON array of objects, the first Markdown table that has the
 * columns, or CSV. Returns null if there is none.
 */
function readTable(reading: Reading, columns: readonly string[]): Table | null {
  const document = readDocument(reading);
  const fromJson = document === null ? null : readJsonTable(document);
  if (fromJson) return fromJson;
  const tables: Table[] = findMarkdownTables(reading.text);
  const hasColumns = (table: Table) => columns.every((name) => findColumn(table, name) >= 0);
  const markdown = tables.find(hasColumns) ?? tables[0];
  if (markdown) return markdown;
  const [header, ...rows] = (document === null ? null : parseCsv(document)) ?? [];
  return header ? { header, rows } : null;
}

/** Returns the index of a column; -1 if there is none. Of several with one name, the first counts. */
const findColumn = ({ header }: Table, name: string): number =>
  header.map(normalisePhrase).indexOf(normalisePhrase(name));

/** Returns the index of a row that is counted from 1, or from the end if negative; -1 if there is none. */
function findRow({ rows }: Table, row: number): number {
  const index = row > 0 ? row - 1 : rows.length + row;
  return index >= 0 && index < rows.length ? index : -1;
}

function readJsonTable(document: string): Table | null {
  const parsed = parseJson(document);
  if (!parsed || !Array.isArray(parsed.value) || parsed.value.length === 0) return null;
  const records: unknown[] = parsed.value;
  if (!records.every((record) => isCollection(record) && !Array.isArray(record))) return null;
  const header = [...new Set(records.flatMap((record) => Object.keys(record as object)))];
  const rows = records.map((record) =>
    header.map((name) =>
      toCell(Object.hasOwn(record as object, name) ? Reflect.get(record as object, name) : null),
    ),
  );
  return { header, rows };
}

/** Returns a value within JSON as a cell; an object or array as its JSON. */
const toCell = (value: unknown): Cell =>
  isCollection(value) ? JSON.stringify(value) : (value as Cell);

/** More digits than any amount has; arithmetic on them would take long. */
const MAX_LENGTH = 60;
const Exact = Decimal.clone({ precision: 100 });

const NUMBER =
  /^(?<sign>[-+−–]?)\s?(?<currency>[$€£¥₹]|[A-Z]{3}\s)?\s?(?<inner>[-−–]?)(?<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?<exponent>[eE][-+]?\d{1,2})?\s?(?:%|[$€£¥₹]|[A-Z]{3})?$/;

/**
 * Reads a number as people write it: `1,234.50`, `$12`, `-3 %`, `(5)` for a negative one. Returns null
 * for anything else, such as a comma as decimal mark.
 */
function toNumber(cell: Cell): Decimal | null {
  if (typeof cell === "number") return Number.isFinite(cell) ? new Exact(cell) : null;
  const text = typeof cell === "string" ? cell.trim() : "";
  if (text.length > MAX_LENGTH) return null;
  const bracketed = /^\(([^()]+)\)$/.exec(text)?.[1];
  const groups = NUMBER.exec(bracketed ?? text)?.groups;
  if (!groups) return null;
  const { sign = "", inner = "", digits = "", exponent = "" } = groups;
  const amount = new Exact(digits.replaceAll(",", "") + exponent);
  const minuses = [sign, inner].filter((mark) => mark !== "" && mark !== "+").length;
  if (minuses > 1 || (bracketed !== undefined && minuses > 0)) return null;
  return minuses === 1 || bracketed !== undefined ? amount.neg() : amount;
}

type TableCell = RequirementOf<"sum">["equals"];

const fail = (observed: string): Decision => ({ passed: false, observed });

/** Returns a value, or why there is none. */
function readJsonValue(reading: Reading, pointer: string): { cell: Cell } | string {
  const document = readDocument(reading);
  const parsed = document === null ? null : parseJson(document);
  if (!parsed) return "no valid JSON";
  let node: unknown = parsed.value;
  for (const key of parsePointer(pointer)) {
    // "length" is a member of every array, but of none in JSON.
    const isMember =
      isCollection(node) && Object.hasOwn(node, key) && Object.propertyIsEnumerable.call(node, key);
    if (!isMember) return "nothing there";
    node = Reflect.get(node as object, key);
  }
  return { cell: toCell(node) };
}

function readCell(reading: Reading, { column, row }: TableCell): { cell: Cell } | string {
  const table = readTable(reading, [column]);
  if (!table) return "no table";
  const cell = getCell(table, { column, row });
  return cell === undefined ? "no such cell" : { cell };
}

function getCell(table: Table, { column, row }: TableCell): Cell | undefined {
  const [at, index] = [findColumn(table, column), findRow(table, row)];
  return at < 0 || index < 0 ? undefined : (table.rows[index]?.[at] ?? null);
}

function isEqual(cell: Cell, wanted: Cell, tolerance: number, isTable: boolean): boolean {
  if (typeof wanted === "number") {
    return toNumber(cell)?.minus(wanted).abs().lte(tolerance) ?? false;
  }
  if (typeof wanted === "string") {
    return typeof cell === "string" && normalisePhrase(cell) === normalisePhrase(wanted);
  }
  if (!isTable || typeof cell !== "string") return cell === wanted;
  // A table of text has no other way to write these.
  return cell.toLowerCase() === (wanted === null ? "" : String(wanted));
}

export const VALUE_DECISIONS: Decisions<"value" | "sum"> = {
  value: (reading, { at, equals, tolerance = 0 }) => {
    const found = typeof at === "string" ? readJsonValue(reading, at) : readCell(reading, at);
    if (typeof found === "string") return fail(found);
    const { cell } = found;
    const passed = isEqual(cell, equals, tolerance, typeof at !== "string");
    const detail = `It is ${JSON.stringify(cell).slice(0, 300).toWellFormed()}.`;
    return passed
      ? { passed, observed: "as agreed" }
      : { passed, observed: "another value", detail };
  },

  sum: (reading, { column, equals, tolerance = 0 }) => {
    const table = readTable(reading, [column, equals.column]);
    if (!table) return fail("no table");
    const at = findColumn(table, column);
    if (at < 0) return fail("no such column");
    const stated = getCell(table, equals);
    if (stated === undefined) return fail("no such cell");
    const expected = toNumber(stated);
    if (expected === null) return fail("the cell holds no number");
    const left = findRow(table, equals.row);
    let sum = new Decimal(0);
    let added = 0;
    for (const [index, row] of table.rows.entries()) {
      const cell = row[at] ?? "";
      if (index === left || cell === "") continue;
      const number = toNumber(cell);
      if (number === null) return fail(`row ${index + 1} of the column holds no number`);
      sum = number.plus(sum);
      added += 1;
    }
    if (added === 0) return fail("no numbers to add");
    const passed = sum.minus(expected).abs().lte(tolerance);
    const observed = `${count(added, "number")}, ${passed ? "as agreed" : "another sum"}`;
    return passed
      ? { passed, observed }
      : { passed, observed, detail: `The sum is ${sum}, the cell holds ${expected}.` };
  },
};
