import { z } from "zod";
import { count, countCharacters, describeIssue } from "./describe-issue";
import { findNearestName, listRelatedNames } from "./nearest-name";
import { omitAbsent, unwrapSchema } from "./omit-absent";

/** One place of an input that its schema does not allow. */
export interface InputViolation {
  /** From the root of the input. */
  path: readonly PropertyKey[];
  /** What is wrong, to be read after the name of the place. */
  detail: string;
  /** Kebab-case. */
  code: string;
  /** The known name or value that was probably meant. */
  suggestion?: string | undefined;
}

/** The error for input that does not match its schema. `toAppError` makes it a 400. */
export class InputError extends Error {
  constructor(readonly violations: InputViolation[]) {
    super("The input does not match its schema.");
    this.name = "InputError";
  }
}

/** Limits the violations of one request: a body of a megabyte can have a great many. */
export const MAX_VIOLATIONS = 50;

/**
 * Parses the input of a procedure, without the fields that count as absent (`omitAbsent`). The one
 * parser of every transport. `schema` must be synchronous: zod compiles a faster parser for that.
 * Throws an `InputError`.
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  // A field counts as absent only if its schema refuses it, and then this fails. Reporting makes it slow.
  const asSent = schema.safeParse(value);
  if (asSent.success) return asSent.data;
  const input = omitAbsent(schema, value);
  const parsed = schema.safeParse(input, { error: describeIssue, reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, MAX_VIOLATIONS);
  const violations = issues.flatMap((issue) => toViolations(schema, input, issue));
  throw new InputError(violations.slice(0, MAX_VIOLATIONS));
}

function toViolations(
  schema: z.ZodType,
  input: unknown,
  issue: z.core.$ZodIssue,
): InputViolation[] {
  const { path } = issue;
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = listUnusedNames(schema, input, path);
      return issue.keys
        .slice(0, MAX_VIOLATIONS)
        .map((key) => createUnknownName([...path, key], "is not a field of this request", known));
    }
    case "invalid_type":
      return [{ path, ...explain(issue), ...(issue.input === undefined && { code: "missing" }) }];
    case "invalid_format":
      return [{ path, ...explain(issue), ...describeText(issue) }];
    case "invalid_value": {
      if (issue.input === undefined) return [{ path, ...explain(issue), code: "missing" }];
      const sent = typeof issue.input === "string" ? issue.input : "";
      const meant = findNearestName(sent, issue.values.map(String));
      return [{ path, ...explain(issue), ...suggest(explain(issue).detail, meant) }];
    }
    case "invalid_union": {
      // The one form that is of the value's type, such as an object, says more than all together.
      const [meant, ...others] = issue.errors.filter((form) => !form.some(isOfOtherType));
      if (meant && others.length === 0) {
        const issues = meant.map((inner) => ({ ...inner, path: [...path, ...inner.path] }));
        return issues.flatMap((inner) => toViolations(schema, input, inner));
      }
      return [{ path, ...explain(issue), ...suggestOption(issue) }];
    }
    default:
      return [{ path, ...explain(issue) }];
  }
}

const isOfOtherType = ({ code, path }: z.core.$ZodIssue) =>
  code === "invalid_type" && path.length === 0;

/** Returns the known values near the one that is to tell the forms of a union apart. */
function suggestOption({ message, input, ...issue }: z.core.$ZodIssueInvalidUnion) {
  const { discriminator } = issue;
  if (discriminator === undefined) return {};
  const sent = (input as Record<string, unknown>)[discriminator];
  if (sent === undefined) return { detail: "is required", code: "missing" };
  if (typeof sent !== "string" || !("options" in issue)) return {};
  const known = (issue.options ?? []).map(String);
  const meant = findNearestName(sent, known);
  const near = meant === null ? listRelatedNames(sent, known) : [meant];
  return { ...suggest(message, ...near), code: "invalid-value" };
}

/** An unknown name is quoted up to this length: it may be as long as the body. */
const MAX_NAME_CHARACTERS = 100;

/** Returns the violation of a name that is not known, with the nearest known one. */
export function createUnknownName(
  path: readonly PropertyKey[],
  detail: string,
  known: readonly string[],
): InputViolation {
  const name = String(path.at(-1)).slice(0, MAX_NAME_CHARACTERS);
  const meant = findNearestName(name, known);
  return { path: [...path.slice(0, -1), name], code: "unknown-field", ...suggest(detail, meant) };
}

/** Adds the values that were probably meant, the likeliest first. */
function suggest(detail: string, ...meant: (string | null)[]) {
  const [suggestion, ...others] = meant.filter((value) => value !== null);
  if (suggestion === undefined) return { detail };
  const quoted = [suggestion, ...others].map((value) => `\`${value}\``);
  return { detail: `${detail}. Did you mean ${quoted.join(" or ")}?`, suggestion };
}

/** `custom` is zod's code of every refinement, and says nothing to a caller. */
function explain({ code, message }: z.core.$ZodIssue) {
  return {
    detail: message,
    code: code === "custom" ? "invalid-value" : code.replaceAll("_", "-"),
  };
}

const WITHOUT_LENGTH = ["email", "date", "datetime"];

/** Shows at once that an address or a hash was cut off, or lacks its 0x. */
function describeText({
  input,
  message,
  pattern,
  format,
}: z.core.$ZodIssueInvalidStringFormat): Partial<InputViolation> {
  if (typeof input !== "string" || WITHOUT_LENGTH.includes(format)) return {};
  const suggestion = `0x${input}`;
  if (pattern && new RegExp(pattern.slice(1, -1)).test(suggestion)) {
    return { detail: `${message}; 0x is missing`, suggestion };
  }
  return { detail: `${message}; it has ${count(countCharacters(input), "character")}` };
}

/** Returns the fields of the object at `path` that the input does not have. */
function listUnusedNames(
  schema: z.ZodType,
  input: unknown,
  path: readonly PropertyKey[],
): string[] {
  let at: z.core.$ZodType | undefined = schema;
  let value = input;
  for (const step of path) {
    const inner: z.core.$ZodType | undefined = at && selectSchema(at, value);
    if (inner instanceof z.ZodObject) at = inner.shape[step as string];
    else at = inner instanceof z.ZodArray ? inner.element : undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  const object = at && selectSchema(at, value);
  if (!(object instanceof z.ZodObject)) return [];
  return Object.keys(object.shape).filter((name) => !Object.hasOwn(value as object, name));
}

/** Returns the schema of `value` within optional, default, nullable, pipe and discriminated union. */
function selectSchema(schema: z.core.$ZodType, value: unknown): z.core.$ZodType | undefined {
  const inner = unwrapSchema(schema);
  if (!(inner instanceof z.ZodDiscriminatedUnion)) return inner;
  const name = (value as Record<string, unknown>)[inner.def.discriminator];
  return z.core.getDiscriminatedOption(inner, name as never);
}
