import { getRuntime } from "@/server/bootstrap/runtime";
import type { ApiBody, ApiError, ApiOperation, ApiParameter, ApiSchema, ApiTag } from "./schema";

let reference: Promise<ApiTag[]> | undefined;

/**
 * Returns every operation of the API and every webhook event by tag, from the published document.
 * Reads it once per process, since it doesn't change.
 */
export function getApiReference(): Promise<ApiTag[]> {
  reference ??= readReference().catch((error: unknown) => {
    reference = undefined;
    throw error;
  });
  return reference;
}

async function readReference(): Promise<ApiTag[]> {
  const { rest, url } = await getRuntime();
  return buildReference(JSON.parse(rest.renderDocument(url)) as OpenApiDocument);
}

/** Groups the document's operations by tag, in the order of its tags; events come last. */
export function buildReference(document: OpenApiDocument): ApiTag[] {
  const { paths, webhooks, tags } = resolveReferences(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      tag: described.tags?.[0],
      operation: toOperation(method.toUpperCase() as ApiOperation["method"], path, described),
    })),
  );
  const events = Object.entries(webhooks).flatMap(([name, { post }]) =>
    post ? [toOperation("EVENT", name, post)] : [],
  );
  return [
    ...tags.map(({ name, description }) => ({
      name,
      description,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    { name: "Webhook events", description: "Signed requests to your URL.", operations: events },
  ];
}

function toOperation(
  method: ApiOperation["method"],
  path: string,
  described: OpenApiOperation,
): ApiOperation {
  const { operationId, summary, description, parameters = [], requestBody, security } = described;
  const responses = Object.entries(described.responses);
  const [status = "200", success] = responses.find(([code]) => code.startsWith("2")) ?? [];
  const isKeyed = security.some((scheme) => "ApiKey" in scheme);
  const isOpen =
    security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0);
  return {
    id: operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    method,
    path,
    // An event's summary is a sentence, its name a title.
    summary: method === "EVENT" ? path : summary,
    description,
    apiKey: isKeyed ? (isOpen ? "optional" : "required") : "none",
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required ?? false,
      description: parameter.description ?? parameter.schema.description ?? "",
      schema: parameter.schema,
      example: parameter.example ?? createExample(parameter.schema),
    })),
    request: toBody(requestBody?.content),
    response: {
      status: Number(status),
      headers: Object.entries(success?.headers ?? {}).map(([name, header]) => ({
        name,
        description: header.description ?? "",
      })),
      body: toBody(success?.content),
    },
    errors: responses.flatMap(([code, response]) => parseErrors(code, response.description)),
  };
}

function toBody(content: OpenApiOperation["responses"][string]["content"]): ApiBody | null {
  const [entry] = Object.entries(content ?? {});
  if (!entry) return null;
  const [mediaType, { schema, example }] = entry;
  return { mediaType, schema, example: example ?? createExample(schema) };
}

/** Parses the description of an error response: one paragraph per code, "`code`: Sentence." */
function parseErrors(status: string, description: string): ApiError[] {
  return [...description.matchAll(/^`([a-z-]+)`: (.+)$/gm)].map(([, code = "", text = ""]) => ({
    status: Number(status),
    code,
    description: text,
  }));
}

const FORMATS: Record<string, unknown> = {
  uuid: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  uri: "https://example.com",
  date: "2026-11-21",
  "date-time": "2026-11-21T12:00:00.000Z",
};
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const HASH = `0x${"5b".repeat(32)}`;

/** Returns a value that `schema` allows, from its own examples if it has any. */
export function createExample(schema: ApiSchema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [variant] = schema.oneOf ?? schema.anyOf ?? [];
  if (variant) return createExample(variant);
  switch ([schema.type].flat()[0]) {
    case "object":
      return createObject(schema);
    case "array":
      return schema.items ? [createExample(schema.items)] : [];
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return true;
    case "string":
      return createText(schema);
    default:
      return null;
  }
}

function createObject({ properties = {}, required = [] }: ApiSchema) {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, createExample(property)]),
  );
}

function createText({ format, description = "" }: ApiSchema): unknown {
  if (format && format in FORMATS) return FORMATS[format];
  if (/wallet address/i.test(description)) return WALLET;
  return /transaction|sha-256|hash/i.test(description) ? HASH : "text";
}

type Content = Record<string, { schema: ApiSchema; example?: unknown }>;

interface Parameter extends Pick<ApiParameter, "name" | "in"> {
  required?: boolean;
  description?: string;
  schema: ApiSchema;
  example?: unknown;
}

interface OpenApiOperation {
  operationId: string;
  tags?: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<
    string,
    { description: string; headers?: Record<string, { description?: string }>; content?: Content }
  >;
}

/** The part of our OpenAPI 3.1 document that the reference shows. */
export interface OpenApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, Record<string, OpenApiOperation>>;
  components: Record<string, Record<string, unknown>>;
}

/**
 * Replaces every `$ref` by what it names, with the name as `title` of a schema. Keywords beside the
 * reference take precedence. Throws on a missing or circular reference.
 */
export function resolveReferences(document: OpenApiDocument): OpenApiDocument {
  const resolve = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, path));
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...own } = value as Record<string, unknown>;
    const resolved = Object.fromEntries(
      Object.entries(own).map(([key, item]) => [key, resolve(item, path)]),
    );
    if (typeof $ref !== "string") return resolved;
    if (path.includes($ref)) throw new Error(`circular reference: ${[...path, $ref].join(" → ")}`);
    const [, , kind = "", name = ""] = $ref.split("/");
    const target = document.components[kind]?.[name];
    if (target === undefined) throw new Error(`${$ref} is missing`);
    const title = kind === "schemas" ? { title: name } : {};
    return { ...title, ...(resolve(target, [...path, $ref]) as object), ...resolved };
  };
  const { paths, webhooks, ...rest } = document;
  return {
    ...rest,
    paths: resolve(paths, []) as OpenApiDocument["paths"],
    webhooks: resolve(webhooks, []) as OpenApiDocument["webhooks"],
  };
}
