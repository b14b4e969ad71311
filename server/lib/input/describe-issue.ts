import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

const TYPE_NAMES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
};

/** What a text must be, by zod's name of its format. */
const FORMAT_NAMES: Record<string, string> = {
  email: "an e-mail address",
  uuid: "a UUID, such as 3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  date: "a day, such as 2026-11-21",
  datetime: "an ISO 8601 UTC date-time, such as 2026-11-21T12:00:00Z",
};

/**
 * Returns the message of a violated schema, for schemas that have none of their own: what the value
 * must be and what it is, to be read after the name of the field. For an issue that it doesn't know,
 * undefined, and zod's own message is used.
 */
export function describeIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}; it is ${describeValue(issue.input)}`;
    case "too_small":
      return describeBound(issue, "least", issue.minimum);
    case "too_big":
      return describeBound(issue, "most", issue.maximum);
    case "invalid_format":
      return FORMAT_NAMES[issue.format]
        ? `must be ${FORMAT_NAMES[issue.format]}`
        : "must have the form that the API document describes";
    case "invalid_value":
      if (issue.input === undefined) return "is required";
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}; it is ${describeValue(issue.input)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return "matches none of the allowed forms";
    default:
      return undefined;
  }
}

function describeBound(
  { origin, input, inclusive }: RawIssue & { origin?: string; inclusive?: boolean },
  bound: "least" | "most",
  limit: number | bigint,
): string | undefined {
  if (typeof input === "string") {
    if (input === "" && limit === 1) return "must not be empty";
    return `must have at ${bound} ${count(limit, "character")}; it has ${count(countCharacters(input), "character")}`;
  }
  if (Array.isArray(input)) {
    return `must have at ${bound} ${count(limit, "entry")}; it has ${count(input.length, "entry")}`;
  }
  if (origin !== "number" && origin !== "int") return undefined;
  const comparison = inclusive ? `at ${bound}` : bound === "least" ? "more than" : "less than";
  return `must be ${comparison} ${format(limit)}; it is ${describeValue(input)}`;
}

/** Longer text is only measured: it may be a key, or a whole deliverable. */
const MAX_QUOTED_CHARACTERS = 40;

/** Returns a value as it is shown to the sender. */
function describeValue(value: unknown): string {
  if (typeof value === "string") {
    return value.length > MAX_QUOTED_CHARACTERS
      ? `text of ${count(countCharacters(value), "character")}`
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/** Counts code points, as JSON Schema does. */
export function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Returns a number with its noun: `1 entry`, `20,000 characters`. */
export function count(number: number | bigint, noun: "character" | "entry"): string {
  const plural = noun === "entry" ? "entries" : "characters";
  return `${format(number)} ${Number(number) === 1 ? noun : plural}`;
}

const format = (number: number | bigint) => number.toLocaleString("en-US");
