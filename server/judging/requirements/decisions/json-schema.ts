import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { compilePattern, PatternError } from "./linear-pattern";
import { shortenDetail } from "./reading";

type JsonSchema = Record<string, unknown>;

/** Thrown for a schema that can't be used: where, as a JSON Pointer into it, and why. */
export class SchemaError extends Error {
  override name = "SchemaError";
  constructor(
    readonly pointer: string,
    message: string,
  ) {
    super(message);
  }
}

const MAX_DEPTH = 30;
const MAX_NODES = 2_000;
/** Lead to other documents, to schemas that only a run could find, or change how a result is returned. */
const REFUSED_KEYWORDS = ["$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$async"];
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Keywords whose members are named by the author and hold schemas. */
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/** Keywords that hold no schema. */
const DATA = ["const", "enum", "default", "examples", "required", "dependentRequired", "type"];
/** Keywords that apply a schema to the same value, so that a cycle of them never ends. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

const createAjv = () =>
  new Ajv2020({
    strict: false,
    validateFormats: false,
    ownProperties: true,
    // Schemas of others are not for this process's log.
    logger: false,
    code: { regExp: Object.assign((pattern: string) => compilePattern(pattern), { code: "" }) },
  });

/** Returns the first violation of a schema; null if there is none. Throws `SchemaError`. */
export function findViolation(schema: JsonSchema, value: unknown): string | null {
  const validate = compileSchema(schema);
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return shortenDetail(`${error?.instancePath || "The document"} ${error?.message}`);
}

/** Compiles a schema. Throws `SchemaError` if it is invalid, too large or refers to other documents. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  refuseEndlessReferences(schema, inspectSchema(schema));
  const ajv = createAjv();
  if (!ajv.validateSchema(schema)) {
    const [error] = ajv.errors ?? [];
    throw new SchemaError(error?.instancePath ?? "", error?.message ?? "is not a JSON Schema");
  }
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw new SchemaError("", error instanceof Error ? error.message : "can't be compiled");
  }
}

/** Refuses what a schema must not contain. Returns every schema within it. */
function inspectSchema(root: JsonSchema): JsonSchema[] {
  const schemas: JsonSchema[] = [];
  let nodes = 0;
  const visit = (
    node: unknown,
    pointer: string,
    depth: number,
    kind: "schema" | "map" | "data",
  ) => {
    nodes += 1;
    if (depth > MAX_DEPTH) throw new SchemaError(pointer, "is nested too deeply");
    if (nodes > MAX_NODES) throw new SchemaError(pointer, "the schema is too large");
    if (typeof node !== "object" || node === null) return;
    const isSchema = kind === "schema" && !Array.isArray(node);
    if (isSchema) {
      inspectKeywords(node as JsonSchema, pointer);
      schemas.push(node as JsonSchema);
    }
    for (const [key, member] of Object.entries(node)) {
      const isData = kind === "data" || (isSchema && DATA.includes(key));
      const isMap = isSchema && MAPS.includes(key);
      const at = `${pointer}/${escapePointer(key)}`;
      visit(member, at, depth + 1, isData ? "data" : isMap ? "map" : "schema");
    }
  };
  visit(root, "", 0, "schema");
  return schemas;
}

function inspectKeywords(schema: JsonSchema, pointer: string): void {
  const refuse = (keyword: string, message: string) => {
    throw new SchemaError(`${pointer}/${escapePointer(keyword)}`, message);
  };
  for (const keyword of REFUSED_KEYWORDS) {
    if (Object.hasOwn(schema, keyword)) refuse(keyword, "is not supported; refer by `#/…`");
  }
  const { $schema: dialect, $ref: reference, pattern, patternProperties } = schema;
  if (dialect !== undefined && dialect !== DIALECT) refuse("$schema", `must be ${DIALECT}`);
  if (reference !== undefined && !/^#(?:\/|$)/.test(String(reference))) {
    refuse("$ref", "must refer to this schema, as in `#/$defs/name`");
  }
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  for (const [keyword, source] of [
    ["pattern", pattern] as const,
    ...patterns.map((one) => ["patternProperties", one] as const),
  ]) {
    try {
      if (typeof source === "string") compilePattern(source);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      refuse(keyword, error.message);
    }
  }
}

/** Refuses references that lead back to their start without going into the value. */
function refuseEndlessReferences(root: JsonSchema, schemas: readonly JsonSchema[]): void {
  const states = new Map<unknown, "open" | "done">();
  const visit = (schema: unknown) => {
    if (!isObject(schema) || states.get(schema) === "done") return;
    if (states.get(schema) === "open") throw new SchemaError("", "has a reference that never ends");
    states.set(schema, "open");
    const applied = IN_PLACE.flatMap((keyword) => {
      const value = schema[keyword];
      return Array.isArray(value) || keyword !== "dependentSchemas"
        ? [value].flat()
        : Object.values(value ?? {});
    });
    if (typeof schema.$ref === "string") applied.push(resolveReference(root, schema.$ref));
    applied.forEach(visit);
    states.set(schema, "done");
  };
  schemas.forEach(visit);
}

/** Returns the schema that `#` or `#/…` refers to; undefined if there is none. */
function resolveReference(root: JsonSchema, reference: string): unknown {
  let node: unknown = root;
  for (const part of reference.split("/").slice(1)) {
    const key = unescapePointer(part);
    node = isObject(node) || Array.isArray(node) ? Reflect.get(node, key) : undefined;
  }
  return node;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const escapePointer = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** In a URI fragment, a pointer may also be percent-encoded. */
function unescapePointer(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // Then the part is meant literally; the compiler refuses it if it leads nowhere.
  }
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}
