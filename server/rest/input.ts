import type { FieldError } from "@/server/lib/errors";
import { createUnknownName, MAX_VIOLATIONS } from "@/server/lib/input/parse-input";
import { createFieldErrors, jsonPointer, WHOLE_BODY } from "@/server/lib/to-app-error";
import type { RestRequest } from "./exchange";
import { readJsonBody } from "./request/json-body";
import type { Field, RouteInput } from "./routes";

/**
 * Assembles the input of one request, each field only from the source that the route declares: a
 * query parameter or body field never replaces a path parameter of the same name. Throws an
 * `AppError` that points to the invalid part.
 * @param query The query string as sent, without its question mark.
 */
export async function assembleInput(
  input: RouteInput,
  params: Record<string, string | undefined>,
  query: string,
  request: RestRequest,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const field of input.path) values[field.name] = coerceText(field, params[field.name] ?? "");
  Object.assign(values, parseQuery(input.query, query));
  if (!input.body) return values;
  const { whole, required } = input.body;
  const body = await readJsonBody(request, required);
  if (!whole) return { ...checkBodyFields(body === undefined ? {} : body, input), ...values };
  if (body !== undefined) values[whole.name] = body;
  return values;
}

/** Returns a function that maps a path into the assembled input to a pointer into the request. */
export function createPointerMapper(input: RouteInput): (path: readonly PropertyKey[]) => string {
  const prefixes = new Map<PropertyKey, string>();
  for (const { name } of input.path) prefixes.set(name, `#/path/${name}`);
  for (const { name } of input.query) prefixes.set(name, `#/query/${name}`);
  if (input.body?.whole) prefixes.set(input.body.whole.name, WHOLE_BODY);
  return (path) => {
    const [first, ...rest] = path;
    const prefix = first === undefined ? undefined : prefixes.get(first);
    return prefix === undefined ? jsonPointer(path) : prefix + jsonPointer(rest).slice(1);
  };
}

function checkBodyFields(body: unknown, input: RouteInput): object {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    const detail = "must be a JSON object";
    throw createFieldErrors([{ pointer: WHOLE_BODY, detail, code: "invalid-type" }]);
  }
  for (const { name } of input.path) {
    if (Object.hasOwn(body, name)) {
      const detail = "is given by the path and is not a field of the body";
      throw createFieldErrors([{ pointer: jsonPointer([name]), detail, code: "unknown-field" }]);
    }
  }
  return body;
}

/**
 * Parses the declared parameters of a query string. Throws `invalid-request` with every parameter
 * that is unknown, given twice or not decodable: ignored, a misspelled filter would return everything.
 */
export function parseQuery(fields: Field[], query: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const pair of query === "" ? [] : query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const sent = equals === -1 ? pair : pair.slice(0, equals);
    const name = decodeQueryText(sent);
    const field = fields.find((one) => one.name === name);
    if (!field) {
      errors.push(createUnknownParameter(name ?? sent, fields));
      continue;
    }
    const pointer = `#/query/${field.name}`;
    const text = decodeQueryText(equals === -1 ? "" : pair.slice(equals + 1));
    if (text === null) {
      errors.push({ pointer, detail: "is not valid percent-encoding", code: "encoding" });
      continue;
    }
    const value = coerceText(field, text);
    if (field.list && text.includes(",")) {
      errors.push(createCommaListError(field.name, pointer, text));
    } else if (field.list) {
      values[field.name] = [...((values[field.name] as unknown[] | undefined) ?? []), value];
    } else if (Object.hasOwn(values, field.name)) {
      errors.push({ pointer, detail: "is given more than once", code: "repeated" });
    } else {
      values[field.name] = value;
    }
  }
  if (errors.length > 0) throw createFieldErrors(errors.slice(0, MAX_VIOLATIONS));
  return values;
}

const MAX_SUGGESTED_VALUES = 5;

function createCommaListError(name: string, pointer: string, text: string): FieldError {
  const values = text.split(",", MAX_SUGGESTED_VALUES).map(encodeURIComponent);
  return {
    pointer,
    detail: "is a list with commas; repeat the parameter for each value",
    code: "comma-list",
    suggestion: values.map((value) => `${name}=${value}`).join("&"),
  };
}

function createUnknownParameter(name: string, fields: Field[]): FieldError {
  const known = fields.map((field) => field.name);
  const { path, ...rest } = createUnknownName([name], describeParameters(known), known);
  return { ...rest, pointer: `#/query${jsonPointer(path).slice(1)}`, code: "unknown-parameter" };
}

function describeParameters(known: string[]): string {
  return known.length === 0
    ? "is not a query parameter of this path, which has none"
    : `is not a query parameter of this path, which has ${known.join(", ")}`;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converts text to the field's kind. Text that does not match stays text, and the schema refuses it.
 */
function coerceText(field: Field, text: string): unknown {
  if (field.kind === "number" && NUMBER.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  if (field.kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function decodeQueryText(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
