import { capitalizeFirst } from "@/components/ui/format";
import type { Requirement, RequirementKind } from "@/server/judging/requirements/schema";

/** How a parameter is entered: a `flag` as a box to tick, everything else as text. */
type Input =
  | "number"
  | "text"
  | "source"
  | "choice"
  | "flag"
  | "lines"
  | "pairs"
  | "json"
  | "scalar"
  | "cell"
  | "place";

/** A parameter of a requirement, as a form asks for it. */
export interface RequirementField {
  name: string;
  label: string;
  hint: string;
  input: Input;
  isOptional: boolean;
  /** Values of a `choice`; names of the two halves of a `pairs`; otherwise empty. */
  options: string[];
}

/** A check to choose, as the form needs it. */
export interface RequirementForm {
  check: string;
  label: string;
  topic: RequirementKind["topic"];
  /** First sentence of its description, and the others. */
  meaning: string;
  details: string;
  fields: RequirementField[];
}

/** What a control has: a text, empty for none, or whether a box is ticked. */
type Entered = string | boolean;

/** What is entered, by the name of the parameter. */
export type EnteredParameters = Record<string, Entered>;

/** The part of JSON Schema that describes a parameter. */
interface ParameterSchema {
  $ref?: string;
  type?: string;
  enum?: string[];
  items?: ParameterSchema;
  properties?: Record<string, ParameterSchema>;
  anyOf?: ParameterSchema[];
  maxLength?: number;
  description?: string;
}

/** Returns what a form needs to know of a check. */
export function toRequirementForm({ check, topic, description, schema }: RequirementKind) {
  const { properties = {}, required = [] } = schema as ParameterSchema & { required?: string[] };
  const fields = Object.entries(properties).flatMap(([name, parameter]): RequirementField[] => {
    if (name === "check") return [];
    const input = getInput(parameter);
    const example = EXAMPLES[input];
    return [
      {
        name,
        label: labelParameter(name),
        // The label of a number says it all.
        hint: input === "number" ? "" : [parameter.description, example].filter(Boolean).join(". "),
        input,
        isOptional: !required.includes(name),
        options: parameter.enum ?? Object.keys(parameter.items?.properties ?? {}),
      },
    ];
  });
  const [, meaning = "", details = ""] = /^(.*?\.)\s+(.*)$/.exec(description) ?? [];
  return { check, label: nameCheck(check), topic, meaning, details, fields };
}

const EXAMPLES: Partial<Record<Input, string>> = {
  lines: "One per line",
  pairs: "One per line, such as add(1, 2) => 3",
  scalar: 'Text, a number, true, false or null; "5" in quotes is text',
  cell: "Column and row, such as Amount, -1",
  place: "Such as /total, or Amount, -1",
};

/** Labels of parameters whose names don't say enough. */
const LABELS: Record<string, string> = {
  min: "At least",
  max: "At most",
  caseSensitive: "Letter case must match",
  tag: "Language",
  schema: "JSON Schema",
  minRows: "Rows, at least",
  at: "Place",
  calls: "Calls and results",
  file: "Test file",
  hash: "SHA-256",
  type: "Media type",
  bytes: "Bytes, at most",
};

/** Labels a parameter on pages. */
export const labelParameter = (name: string) => LABELS[name] ?? capitalizeFirst(name);

/** Puts the labels of parameters, as the form shows them, in place of their names in an error. */
export const nameFields = (error: string) =>
  error.replace(/`(\w+)`/g, (_, name: string) => `“${labelParameter(name)}”`);

const ACRONYMS = /\b(json|csv|yaml|xml|html|sha)/g;

/** Names of checks that are clearer than their identifiers. */
const NAMES: Record<string, string> = {
  contains: "Contains phrases",
  excludes: "Excludes phrases",
  matches: "Matches a pattern",
  language: "Is in a language",
  sections: "Has these headings",
  value: "A value is as agreed",
  sum: "A column adds up",
  parses: "Is valid code",
  examples: "Calls return results",
  tests: "Tests pass",
  sha256: "Is the exact file",
};

/** Names a check on pages: `word-count` → `Word count`, `json-lines` → `JSON lines`. */
const nameCheck = (check: string) =>
  NAMES[check] ??
  capitalizeFirst(check.replaceAll("-", " ").replace(ACRONYMS, (word) => word.toUpperCase()));

/** Strings that may be longer than this are sources of several lines. */
const MAX_LINE = 1_000;

function getInput({ $ref, type, enum: options, items, anyOf, ...rest }: ParameterSchema): Input {
  if (anyOf) return anyOf.some(({ $ref, properties }) => $ref || properties) ? "place" : "scalar";
  if ($ref || rest.properties) return "cell";
  if (items) return items.type === "string" ? "lines" : "pairs";
  if (options) return "choice";
  if (type === "boolean") return "flag";
  if (type === "integer" || type === "number") return "number";
  if (type === "object") return "json";
  return (rest.maxLength ?? 0) > MAX_LINE ? "source" : "text";
}

/** Returns the requirement that was entered. The service refuses what is missing or can't be read. */
export function readRequirement(
  entered: { check: string } & EnteredParameters,
  fields: readonly RequirementField[],
): Requirement {
  const parameters = fields.flatMap((field) => {
    const value = entered[field.name] ?? "";
    if (!isGiven(value, field)) return [];
    const read = readParameter(value, field);
    return [[field.name, read === undefined ? value : read]];
  });
  return { check: entered.check, ...Object.fromEntries(parameters) };
}

/** Returns how to correct what was entered if it can't be read. */
export function findProblem(value: Entered, field: RequirementField): string | undefined {
  const isReadable = !isGiven(value, field) || readParameter(value, field) !== undefined;
  return isReadable ? undefined : PROBLEMS[field.input];
}

/** The empty `place` is the whole document. */
const isGiven = (value: Entered, { input }: RequirementField) =>
  typeof value === "string" ? value.trim() !== "" || input === "place" : value;

/** Returns a parameter as the API takes it; undefined if it can't be read. */
const readParameter = (value: Entered, { input, options }: RequirementField): unknown =>
  typeof value === "string" ? READERS[input](value, options) : value;

const PROBLEMS: Partial<Record<Input, string>> = {
  number: "Enter a number.",
  pairs: "Write every line as call => result.",
  json: "This is not a JSON object.",
  cell: "Enter a column and a row number, such as Amount, -1.",
  place: "Enter a JSON Pointer such as /total, or a cell such as Amount, -1.",
};

const PAIR = /^(.*\S)\s+=>\s+(\S.*)$/;
const CELL = /^(.+),\s*(-?\d+)$/;

/** Parses entered text; `undefined` if that's impossible. */
const READERS: Record<Input, (text: string, options: string[]) => unknown> = {
  number: (text) => (Number.isFinite(Number(text)) ? Number(text) : undefined),
  text: (text) => text.trim(),
  source: (text) => text,
  choice: (text) => text,
  flag: Boolean,
  lines: splitLines,
  pairs: (text, [first = "", second = ""]) => {
    const pairs = splitLines(text).map((line) => PAIR.exec(line));
    return pairs.includes(null)
      ? undefined
      : pairs.map((pair) => ({ [first]: pair?.[1], [second]: pair?.[2] }));
  },
  json: (text) => {
    const value = parseJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  },
  scalar: (text) => {
    const value = parseJson(text);
    return isScalar(value) ? value : text.trim();
  },
  cell: parseCell,
  place: (text) => (/^\s*(\/|$)/.test(text) ? text.trim() : parseCell(text)),
};

/** Returns the lines of a text that have any. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function parseCell(text: string): { column: string; row: number } | undefined {
  const [, column, row] = CELL.exec(text.trim()) ?? [];
  return column ? { column: column.trim(), row: Number(row) } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isScalar = (value: unknown) =>
  value === null || ["string", "number", "boolean"].includes(typeof value);
