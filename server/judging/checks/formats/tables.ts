import Papa from "papaparse";
import { extractFencedBlocks, type FencedBlock } from "@/server/judging/checks/text/layout";

interface MarkdownTable {
  header: string[];
  rows: string[][];
}

export type Separator = "," | ";" | "\t" | "|";

/**
 * Finds the Markdown tables of a text: a header, a line of dashes, and rows. `clean` reduces a cell to
 * its content.
 */
export function findMarkdownTables(text: string, clean = removeEmphasis): MarkdownTable[] {
  const lines = text.split("\n");
  const tables: MarkdownTable[] = [];
  for (let at = 1; at < lines.length; at += 1) {
    if (!isDelimiterLine(lines[at] ?? "") || !lines[at - 1]?.includes("|")) continue;
    const header = splitCells(lines[at - 1] ?? "").map(clean);
    const rows: string[][] = [];
    for (at += 1; at < lines.length && lines[at]?.includes("|"); at += 1) {
      if (!isDelimiterLine(lines[at] ?? "")) rows.push(splitCells(lines[at] ?? "").map(clean));
    }
    tables.push({ header, rows });
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
    .split(/(?<!\\)\|/);

/** Removes Markdown emphasis and surrounding white space. */
const removeEmphasis = (cell: string) => cell.replaceAll(/[*`]|<\/?\w+>/g, "").trim();

/** Parses delimited text of any length; null if its quotation marks are wrong. */
export function parseRows(text: string, delimiter: Separator): string[][] | null {
  const { data, errors } = Papa.parse<string[]>(text.trim(), {
    delimiter,
    skipEmptyLines: "greedy",
  });
  if (errors.some(({ type }) => type === "Quotes")) return null;
  return data.map((row) => row.map((cell) => cell.trim()));
}

/** Returns the code of the only fenced block, if there is nothing else but white space. */
export function readSoleBlock(text: string): FencedBlock | null {
  const trimmed = text.trim();
  const fence = /^(`{3,}|~{3,})[^\n`]*\n/.exec(trimmed)?.[1];
  if (!fence || !trimmed.endsWith(fence)) return null;
  const blocks = extractFencedBlocks(trimmed);
  return blocks.length === 1 ? (blocks[0] ?? null) : null;
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
