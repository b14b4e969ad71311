import { Decimal } from "decimal.js";
import { isCollection, parseJson } from "@/server/judging/checks/formats/tables";
import type { RequirementOf } from "@/server/judging/requirements/schema";
import { readDocument } from "./decide-formats";
import { parseNumber } from "./parse-number";
import { type Cell, findColumn, findRow, readTable, type Table, toCell } from "./read-table";
import { count, type Decide, type Decision, normalisePhrase, type Reading } from "./reading";

type TableCell = RequirementOf<"sum">["equals"];

const fail = (observed: string): Decision => ({ passed: false, observed });

export const decideValue: Decide<"value"> = (reading, { at, equals, tolerance = 0 }) => {
  const found = typeof at === "string" ? readJsonValue(reading, at) : readCell(reading, at);
  if (typeof found === "string") return fail(found);
  const { cell } = found;
  const passed = isEqual(cell, equals, tolerance, typeof at !== "string");
  const detail = `It is ${JSON.stringify(cell).slice(0, 300).toWellFormed()}.`;
  return passed ? { passed, observed: "as agreed" } : { passed, observed: "another value", detail };
};

/** Returns a value, or why there is none. */
function readJsonValue(reading: Reading, pointer: string): { cell: Cell } | string {
  const document = readDocument(reading);
  const parsed = document === null ? null : parseJson(document);
  if (!parsed) return "no valid JSON";
  let node: unknown = parsed.value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
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

export const decideSum: Decide<"sum"> = (reading, { column, equals, tolerance = 0 }) => {
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
};

const toNumber = (cell: Cell): Decimal | null =>
  typeof cell === "string" || typeof cell === "number" ? parseNumber(cell) : null;
