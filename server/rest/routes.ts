import type { AnyTRPCRouter } from "@trpc/server";
import { z } from "zod";
import { type InputParser, type Meta, type RestMeta, TAGS } from "@/server/lib/trpc";

/** Where a route takes its input from. Requests and the OpenAPI document both use it. */
export interface RouteInput {
  path: Field[];
  query: Field[];
  body: RouteBody | null;
}

/** The body: the fields of a JSON object, or a single field that is the whole body. */
interface RouteBody {
  fields: Field[];
  whole?: Field;
  required: boolean;
}

/** With its defaults. */
export type RouteMeta = RestMeta & Required<Pick<RestMeta, "status" | "tag" | "key">>;

/** A procedure as the REST transport exposes it. */
export interface Route {
  /** The procedure's path in the router: `agents.register`. */
  procedure: string;
  type: "query" | "mutation";
  meta: RouteMeta;
  /** Whether the limit on public reads counts it: it requires no key and has no rate limit of its own. */
  isPublicRead: boolean;
  input: RouteInput;
  /** Whether the procedure has an input at all. */
  hasInput: boolean;
  /** Schema of the response body; null if there is none. */
  output: z.ZodType | null;
}

const TAG_NAMES = Object.keys(TAGS) as RouteMeta["tag"][];

/** The parts of tRPC's procedures that routes need. */
interface Procedure {
  _def: { type: string; meta?: Meta; inputs: InputParser[]; output?: unknown };
}

/**
 * Compiles every procedure of `router` that has REST meta, in the router's order. Throws if the
 * meta contradicts the schemas, so that an invalid route fails at startup and not on a request.
 */
export function compileRoutes(router: AnyTRPCRouter): Route[] {
  const procedures = Object.entries(router._def.procedures as unknown as Record<string, Procedure>);
  const routes = procedures.flatMap(([name, { _def }]): Route[] => {
    const { rest, ...defaults } = _def.meta ?? {};
    const fail = (reason: string) => new Error(`Procedure ${name}: ${reason}`);
    // Without it, a procedure without a route would word its errors in another way.
    if (!_def.inputs.every(({ inputSchema }) => inputSchema)) throw fail("needs createParser");
    if (!rest) return [];
    const tag = TAG_NAMES.find((one) => one.toLowerCase() === name.split(".")[0]) ?? rest.tag;
    if (!tag) throw fail("has no tag");
    const meta = { status: 200, key: "none", tag, ...defaults, ...rest } as const;
    if (_def.type !== "query" && _def.type !== "mutation") throw fail("is a subscription");
    if (_def.output !== undefined && !(_def.output instanceof z.ZodType)) {
      throw fail("output is not a zod schema");
    }
    const output = meta.status === 204 ? null : (_def.output ?? meta.response ?? null);
    if (meta.status !== 204 && !output) throw fail("has no output schema");
    const isPublicRead = meta.key !== "required" && meta.perMinute === undefined;
    const input = locateInput(meta, getInputFields(_def.inputs, fail), fail);
    const hasInput = _def.inputs.length > 0;
    return [{ procedure: name, type: _def.type, meta, isPublicRead, input, hasInput, output }];
  });
  const seen = new Set<string>();
  for (const { meta, procedure } of routes) {
    const key = `${meta.method} ${meta.path.replace(/\{[^}]*\}/g, "{}")}`;
    if (seen.has(key)) throw new Error(`Procedure ${procedure}: ${key} exists already`);
    seen.add(key);
  }
  return routes;
}

function locateInput(
  { path: template, method, bodyField }: RestMeta,
  fields: Field[],
  fail: (reason: string) => Error,
): RouteInput {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const path = names.map((name) => {
    const field = fields.find((one) => one.name === name);
    if (!field) throw fail(`path parameter ${name} is not a field of the input`);
    return field;
  });
  const rest = fields.filter((field) => !names.includes(field.name));
  if (method === "GET" || method === "DELETE") {
    if (bodyField) throw fail(`${method} has no body`);
    return { path, query: rest, body: null };
  }
  if (bodyField === undefined) {
    const required = rest.some((field) => field.required);
    return { path, query: [], body: rest.length > 0 ? { fields: rest, required } : null };
  }
  const whole = rest.find((field) => field.name === bodyField);
  if (!whole) throw fail(`bodyField ${bodyField} is not a field of the input`);
  const query = rest.filter((field) => field !== whole);
  return { path, query, body: { fields: [], whole, required: whole.required } };
}

/** How query string text is converted to a value of the schema. */
type Kind = "text" | "number" | "boolean";

/** One field of a procedure's input. */
export interface Field {
  name: string;
  schema: z.ZodType;
  required: boolean;
  kind: Kind;
  /** Whether it is an array, so that a query string may repeat it. */
  list: boolean;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns the fields of all input schemas of a procedure. Throws if one is not a strict object. */
function getInputFields(inputs: InputParser[], fail: (reason: string) => Error): Field[] {
  const shape: Record<string, z.ZodType> = {};
  for (const { inputSchema } of inputs) {
    const object = inputSchema instanceof z.ZodPipe ? inputSchema.in : inputSchema;
    if (!(object instanceof z.ZodObject)) throw fail("input is not an object");
    if (!(object.def.catchall instanceof z.ZodNever)) throw fail("input accepts unknown fields");
    Object.assign(shape, object.shape);
  }
  const json: JsonSchema = z.toJSONSchema(z.object(shape), {
    io: "input",
    unrepresentable: "any",
    // An empty registry: without ids, every schema is inlined instead of referenced.
    metadata: z.registry<{ id?: string }>(),
  });
  return Object.entries(shape).map(([name, schema]) => {
    const alternatives = expandAlternatives(json.properties?.[name]);
    const array = alternatives.find(({ type }) => type === "array");
    const items = array?.items as JsonSchema | undefined;
    return {
      name,
      schema,
      required: json.required?.includes(name) ?? false,
      kind: getKind(array ? expandAlternatives(items) : alternatives),
      list: array !== undefined,
    };
  });
}

function getKind(alternatives: JsonSchema[]): Kind {
  const types = alternatives.map(({ type }) => type);
  if (types.includes("string")) return "text";
  if (types.includes("number") || types.includes("integer")) return "number";
  return types.includes("boolean") ? "boolean" : "text";
}

function expandAlternatives(schema: JsonSchema | boolean | undefined): JsonSchema[] {
  if (typeof schema !== "object") return [];
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((schemas) => schemas ?? []);
  return parts.length > 0 ? parts.flatMap(expandAlternatives) : [schema];
}
