import Papa from "papaparse";
import { extractFencedBlocks, type FencedBlock } from "@/server/judging/checks/text/layout";

export interface MarkdownTable {
  header: string[];
  rows: string[][];
  /** Lines of the text; `to` is exclusive. */
  from: number;
  to: number;
}

export type Separator = "," | ";" | "\t" | "|";

/** Finds the Markdown tables of a text: a header, a line of dashes, and rows. */
export function findMarkdownTables(text: string): MarkdownTable[] {
  const lines = text.split("\n");
  const tables: MarkdownTable[] = [];
  for (let at = 1; at < lines.length; at += 1) {
    if (!isDelimiterLine(lines[at] ?? "") || !lines[at - 1]?.includes("|")) continue;
    const from = at - 1;
    const header = splitCells(lines[from] ?? "");
    const rows: string[][] = [];
    for (at += 1; at < lines.length && lines[at]?.includes("|"); at += 1) {
      if (!isDelimiterLine(lines[at] ?? "")) rows.push(splitCells(lines[at] ?? ""));
    }
    tables.push({ header, rows, from, to: at });
  }
  return tables;
}

/** Detects a line of dashes between bars, which only a Markdown table has as its second line. */
function isDelimiterLine(line: string): boolean {
  const cells = line.trim().split("|");
  return (
    cells.length > 1 && cells.every((cell) => /^(:?-+:?)?$/.test(cell.trim())) && line.includes("-")
  );
}

const splitCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map(cleanCell);

/** Removes Markdown emphasis and surrounding white space. */
const cleanCell = (cell: string) => cell.replaceAll(/[*`]|<\/?\w+>/g, "").trim();

const MAX_CSV = 200_000;

/** Parses delimited text of at least one row with two fields; null if a row cannot be parsed. */
export function parseDelimited(text: string, delimiter: Separator): string[][] | null {
  if (text.length > MAX_CSV || !text.includes(delimiter) || !text.trim().includes("\n"))
    return null;
  const rows = parseRows(text, delimiter);
  return (rows?.[0]?.length ?? 0) >= 2 ? rows : null;
}

/** Parses delimited text of any length; null if its quotation marks are wrong. */
export function parseRows(text: string, delimiter: Separator): string[][] | null {
  const { data, errors } = Papa.parse<string[]>(text.trim(), {
    delimiter,
    skipEmptyLines: "greedy",
  });
  if (errors.some(({ type }) => type === "Quotes")) return null;
  return data.map((row) => row.map((cell) => cell.trim()));
}

export interface DelimitedText {
  rows: string[][];
  separator: Separator;
  /** `whole`: the text, or its only fenced block, is nothing but these rows. */
  place: "whole" | "block" | "part";
  /** Whether every row has as many fields as the first. */
  isEven: boolean;
}

/**
 * Finds delimited rows: in a fenced block, in the whole text, or in adjacent lines with the same
 * number of fields, at least two. Tries the separators in turn.
 */
export function findDelimited(
  text: string,
  separators: readonly Separator[],
): DelimitedText | null {
  const sole = readSoleBlock(text)?.code ?? (/```|~~~/.test(text) ? null : text);
  const blocks = listBlocks(text);
  const candidates = [
    { parts: sole === null ? [] : [sole], place: "whole" as const },
    { parts: blocks, place: "block" as const },
    { parts: listParagraphs(text), place: "part" as const },
  ];
  for (const mustBeEven of [true, false]) {
    for (const { parts, place } of candidates) {
      for (const separator of separators) {
        for (const part of parts) {
          const rows = parseDelimited(part, separator);
          if (!rows || rows.length < 2 || rows[0]?.length !== rows[1]?.length) continue;
          const isEven = hasEvenRows(rows);
          if (isEven || (!mustBeEven && place !== "whole"))
            return { rows, separator, place, isEven };
        }
      }
    }
  }
  return findAdjacentLines(text, separators);
}

const hasEvenRows = (rows: string[][]) => rows.every((row) => row.length === rows[0]?.length);

const MAX_PARTS = 200;
const listBlocks = (text: string) =>
  extractFencedBlocks(text)
    .slice(0, MAX_PARTS)
    .map(({ code }) => code);
const listParagraphs = (text: string) => text.split(/\n\s*\n/).slice(0, MAX_PARTS);

/** Finds two adjacent lines with the same number of fields, for rows amid prose. */
function findAdjacentLines(text: string, separators: readonly Separator[]): DelimitedText | null {
  const lines = text.slice(0, MAX_CSV).split("\n");
  if (lines.length < 2) return null;
  for (const separator of separators) {
    const widths = lines.map(
      (line) => line.replaceAll(/"(?:[^"]|"")*"/g, "x").split(separator).length,
    );
    const at = widths.findIndex((width, index) => width >= 2 && width === widths[index + 1]);
    if (at < 0) continue;
    let end = at;
    while (widths[end] === widths[at]) end += 1;
    const rows = parseDelimited(lines.slice(at, end).join("\n"), separator);
    if (rows) return { rows, separator, place: "part", isEven: true };
  }
  return null;
}

/** Returns whether a text has a table of any kind: Markdown, HTML, delimited, or aligned columns. */
export const hasTable = (text: string): boolean =>
  findMarkdownTables(text).length > 0 ||
  /<table\b/i.test(text) ||
  hasColumns(text, /\s*[|│┃║]\s*/, /[|│┃║]/) ||
  hasColumns(text, /\s{2,}/, /\S\s{2,}\S/) ||
  [...listBlocks(text), ...listParagraphs(text)].some(
    (part) => findAdjacentLines(part, [",", ";", "\t", "|"]) !== null,
  );

/** Returns whether a separator splits two adjacent lines into as many cells, at least two. */
function hasColumns(text: string, separator: RegExp, marker: RegExp): boolean {
  const widths = text
    .slice(0, MAX_CSV)
    .split("\n")
    .filter((line) => !/^[\s|+─━═┼┬┴├┤:=-]*$/.test(line))
    .map((line) =>
      line.length < 2_000 && marker.test(line)
        ? line
            .trim()
            .split(separator)
            .filter((cell) => cell !== "").length
        : 0,
    );
  return widths.some((width, index) => width >= 2 && width === widths[index + 1]);
}

/** How a text holds what a task demands of it. */
export interface Found<T> {
  value: T;
  /** `whole`: nothing else; `fenced`: in the only code fence, and nothing else; else `part`. */
  place: "whole" | "fenced" | "part";
}

/** Returns the code of the only fenced block, if there is nothing else but white space. */
export function readSoleBlock(text: string): FencedBlock | null {
  const trimmed = text.trim();
  const fence = /^(`{3,}|~{3,})[^\n`]*\n/.exec(trimmed)?.[1];
  if (!fence || !trimmed.endsWith(fence)) return null;
  const blocks = extractFencedBlocks(trimmed);
  return blocks.length === 1 ? (blocks[0] ?? null) : null;
}

const MAX_BLOCKS = 200;

/** Finds JSON: the whole text, a fenced block, or the text between the outermost brackets. */
export function findJson(text: string): Found<unknown> | null {
  const whole = parseJson(text);
  if (whole) return { value: whole.value, place: "whole" };
  const sole = readSoleBlock(text);
  const fenced = sole && parseJson(sole.code);
  if (fenced) return { value: fenced.value, place: "fenced" };
  for (const { code } of extractFencedBlocks(text).slice(0, MAX_BLOCKS)) {
    const part = parseJson(code) ?? parseLines(code);
    if (part && isCollection(part.value)) return { value: part.value, place: "part" };
  }
  const part = parseJson(extractBracketed(text)) ?? parseLines(text);
  return part && isCollection(part.value) ? { value: part.value, place: "part" } : null;
}

/** Parses one JSON value per line, of which there must be at least two. */
export function parseLines(text: string): { value: unknown[] } | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return null;
  const values: unknown[] = [];
  for (const line of lines) {
    const parsed = parseJson(line);
    if (!parsed || !isCollection(parsed.value)) return null;
    values.push(parsed.value);
  }
  return { value: values };
}

export function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

export const isCollection = (value: unknown): value is object =>
  typeof value === "object" && value !== null;

/** Returns the part from the first opening bracket to the last closing one. */
function extractBracketed(text: string): string {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"));
  return start < 0 ? "" : text.slice(start, end + 1);
}
