import { Parser } from "htmlparser2";
import { SaxesParser } from "saxes";
import { parseAllDocuments } from "yaml";
import {
  isCollection,
  parseJson,
  parseRows,
  readSoleBlock,
} from "@/server/judging/checks/formats/tables";
import { describeMissing, listMissing } from "./decide-structure";
import { findViolation } from "./json-schema";
import { count, type Decision, type Decisions, type Reading } from "./reading";

/** Returns the document, without the fence if it is the only fenced block of a text; null if it is no text. */
export function readDocument({ source }: Reading): string | null {
  return source === null ? null : (readSoleBlock(source)?.code ?? source);
}

const NO_TEXT: Decision = { passed: false, observed: "the document is not a text file" };
/** Decides on the document. */
const onDocument =
  <Requirement>(decide: (document: string, requirement: Requirement) => Decision) =>
  (reading: Reading, requirement: Requirement): Decision => {
    const document = readDocument(reading);
    return document === null ? NO_TEXT : decide(document, requirement);
  };
const fail = (observed: string, detail?: string): Decision => ({
  passed: false,
  observed,
  ...(detail !== undefined && { detail }),
});

const SEPARATORS = [",", ";", "\t"] as const;

/** Returns rows with as many fields as the header; null if no separator leads to such. */
export function parseCsv(document: string): string[][] | null {
  for (const separator of SEPARATORS) {
    const rows = parseRows(document, separator);
    const width = rows?.[0]?.length ?? 0;
    if (rows && width >= 2 && rows.every((row) => row.length === width)) return rows;
  }
  return null;
}

/** More references to other parts of a document than any honest one has. */
const MAX_ALIASES = 100;

/** Elements whose end tag HTML lets an author leave out. */
const OPTIONAL_END =
  /^(html|head|body|p|li|dt|dd|option|optgroup|thead|tbody|tfoot|tr|td|th|rt|rp|colgroup|caption)$/;
const VOID_ELEMENT = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;

type FormatCheck = "json" | "json-lines" | "csv" | "yaml" | "xml" | "html";

export const FORMAT_DECISIONS: Decisions<FormatCheck> = {
  json: onDocument((document, { schema }) => {
    const parsed = parseJson(document);
    if (!parsed) return fail("no valid JSON");
    if (!schema) return { passed: true, observed: "valid JSON" };
    const violation = findViolation(schema, parsed.value);
    return violation === null
      ? { passed: true, observed: "matches the schema" }
      : fail("doesn't match the schema", violation);
  }),

  "json-lines": onDocument((document) => {
    const lines = document.split("\n").filter((line) => line.trim() !== "");
    if (lines.length === 0) return fail("no lines");
    const invalid = lines.findIndex((line) => parseJson(line) === null);
    return invalid < 0
      ? { passed: true, observed: count(lines.length, "line") }
      : fail(`line ${invalid + 1} of those that are not empty is no valid JSON`);
  }),

  csv: onDocument((document, { columns = [], minRows = 0 }) => {
    const table = parseCsv(document);
    if (!table) return fail("no rows with the same number of fields, at least two");
    const [header = [], ...rows] = table;
    const missing = listMissing(header, columns);
    if (missing.length > 0) return describeMissing(missing, columns.length, "columns");
    return { passed: rows.length >= minRows, observed: count(rows.length, "row") };
  }),

  yaml: onDocument((document) => {
    const documents = parseAllDocuments(document, { logLevel: "silent" });
    if (!Array.isArray(documents) || documents.length === 0) return fail("no mapping or list");
    const [error] = documents.flatMap(({ errors }) => errors);
    if (error) {
      const line = error.linePos?.[0].line;
      return fail(line ? `an error in line ${line}` : "an error", error.message.slice(0, 300));
    }
    try {
      const values: unknown[] = documents.map((one) => one.toJS({ maxAliasCount: MAX_ALIASES }));
      return values.every(isCollection)
        ? { passed: true, observed: "valid YAML" }
        : fail("no mapping or list");
    } catch (error) {
      // The parser reports an unknown or excessive alias in this way.
      if (error instanceof ReferenceError) return fail("an invalid or excessive alias");
      throw error;
    }
  }),

  xml: onDocument((document) => {
    const parser = new SaxesParser({ xmlns: true });
    let error: string | undefined;
    parser.on("error", ({ message }) => {
      error ??= message;
    });
    parser.write(document.trimStart()).close();
    if (error === undefined) return { passed: true, observed: "well-formed XML" };
    const line = /^(\d+):/.exec(error)?.[1];
    return fail(line ? `an error in line ${line}` : "an error", error.slice(0, 300));
  }),

  html: onDocument((document) => {
    if (!document.trimStart().startsWith("<")) return fail("text before the first element");
    let elements = 0;
    let unclosed = 0;
    const parser = new Parser({
      onopentag: () => {
        elements += 1;
      },
      onclosetag: (name, isImplied) => {
        if (isImplied && !OPTIONAL_END.test(name) && !VOID_ELEMENT.test(name)) unclosed += 1;
      },
    });
    parser.end(document);
    if (elements === 0) return fail("no elements");
    return unclosed === 0
      ? { passed: true, observed: count(elements, "element") }
      : fail(count(unclosed, "unclosed element"));
  }),
};
