import type { ApiParameter, ApiSchema } from "./schema";

type Content = Record<string, { schema: ApiSchema; example?: unknown }>;

interface Parameter extends Pick<ApiParameter, "name" | "in"> {
  required?: boolean;
  description?: string;
  schema: ApiSchema;
  example?: unknown;
}

export interface OpenApiOperation {
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
