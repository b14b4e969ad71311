import type { Requirement, RequirementKind } from "@/server/judging/requirements/schema";

/** How a parameter is entered; every form has its value as text. */
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
  /** Regular expression that the text must match; null for none. */
  pattern: string | null;
}

/** A check to choose, as the form needs it. */
export interface RequirementForm {
  check: string;
  label: string;
  topic: RequirementKind["topic"];
  description: string;
  fields: RequirementField[];
}

/** Entered text by the name of its parameter; empty or absent for none. */
export type EnteredParameters = Record<string, string>;

/** The part of JSON Schema that describes a parameter. */
interface ParameterSchema {
  $ref?: string;
  type?: string;
  enum?: string[];
  items?: ParameterSchema;
  properties?: Record<string, ParameterSchema>;
  anyOf?: ParameterSchema[];
  maxLength?: number;
  pattern?: string;
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
        pattern: parameter.pattern ?? null,
      },
    ];
  });
  return { check, label: nameCheck(check), topic, description, fields };
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

const ACRONYMS = /\b(json|csv|yaml|xml|html|sha)/g;

/** Names a check on pages: `word-count` → `Word count`, `json-lines` → `JSON lines`. */
export const nameCheck = (check: string) =>
  capitalizeFirst(check.replaceAll("-", " ").replace(ACRONYMS, (word) => word.toUpperCase()));

const capitalizeFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

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

/** Returns the requirement that was entered, or an error message by parameter. */
export function parseRequirement(
  { check, fields }: Pick<RequirementForm, "check" | "fields">,
  entered: EnteredParameters,
): { requirement: Requirement } | { errors: Record<string, string> } {
  const parameters: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const { name, input, isOptional, options, pattern } of fields) {
    const text = entered[name] ?? "";
    if (text.trim() === "" && input !== "place") {
      if (!isOptional) errors[name] = "Fill this in.";
      continue;
    }
    const value = PARSERS[input](text, options);
    const isMismatch = pattern !== null && !new RegExp(pattern).test(String(value));
    if (isMismatch) errors[name] = "This doesn't have the right form.";
    else if (value === undefined) errors[name] = PROBLEMS[input] ?? "This can't be read.";
    else parameters[name] = value;
  }
  const isRange = fields.every(({ isOptional }) => isOptional) && fields[0]?.name === "min";
  if (isRange && Object.keys({ ...parameters, ...errors }).length === 0) {
    errors.min = "Enter at least one of the two limits.";
  }
  if (Object.keys(errors).length > 0) return { errors };
  return { requirement: { check, ...parameters } as Requirement };
}

const PROBLEMS: Partial<Record<Input, string>> = {
  number: "Enter a number.",
  pairs: "Write every line as call => result.",
  json: "This is not a JSON object.",
  cell: "Enter a column and a row number, such as Amount, -1.",
  place: "Enter a JSON Pointer such as /total, or a cell such as Amount, -1.",
};

const PAIR = /^(.*\S)\s+=>\s+(\S.*)$/;
const CELL = /^(.+),\s*(-?\d+)$/;

/** Parses entered text; `undefined` if that's impossible. The service checks the limits. */
const PARSERS: Record<Input, (text: string, options: string[]) => unknown> = {
  number: (text) => (Number.isFinite(Number(text)) ? Number(text) : undefined),
  text: (text) => text.trim(),
  source: (text) => text,
  choice: (text) => text,
  flag: (text) => text === "true",
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

function splitLines(text: string): string[] {
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

/** Returns the text to edit a requirement with; the reverse of `parseRequirement`. */
export function enterRequirement(
  { fields }: Pick<RequirementForm, "fields">,
  requirement: Requirement,
): EnteredParameters {
  const parameters = requirement as unknown as Record<string, unknown>;
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = parameters[field.name];
      return value === undefined ? [] : [[field.name, enterValue(value, field)]];
    }),
  );
}

function enterValue(value: unknown, { input, options }: RequirementField): string {
  if (typeof value === "string") {
    // A text that would be read as a number, such as "5", keeps its quotes.
    return input === "scalar" && isScalar(parseJson(value)) ? JSON.stringify(value) : value;
  }
  if (Array.isArray(value)) {
    const [first = "", second = ""] = options;
    return value
      .map((one) => (typeof one === "string" ? one : `${one[first]} => ${one[second]}`))
      .join("\n");
  }
  const cell = value as { column?: string; row?: number } | null;
  if (cell?.column !== undefined) return `${cell.column}, ${cell.row}`;
  return JSON.stringify(value);
}
