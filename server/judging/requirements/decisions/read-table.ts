import {
  findMarkdownTables,
  isCollection,
  parseJson,
} from "@/server/judging/checks/formats/tables";
import { parseCsv, readDocument } from "./decide-formats";
import { normalisePhrase, type Reading } from "./reading";

/** A cell as JSON holds it, or as text. */
export type Cell = string | number | boolean | null;

export interface Table {
  header: string[];
  rows: Cell[][];
}

/**
 * Reads the deliverable's table: a JSON array of objects, the first Markdown table that has the
 * columns, or CSV. Returns null if there is none.
 */
export function readTable(reading: Reading, columns: readonly string[]): Table | null {
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
export const findColumn = ({ header }: Table, name: string): number =>
  header.map(normalisePhrase).indexOf(normalisePhrase(name));

/** Returns the index of a row that is counted from 1, or from the end if negative; -1 if there is none. */
export function findRow({ rows }: Table, row: number): number {
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
export const toCell = (value: unknown): Cell =>
  isCollection(value) ? JSON.stringify(value) : (value as Cell);
