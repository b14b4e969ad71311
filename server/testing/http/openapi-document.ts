import type { AnyTRPCRouter } from "@trpc/server";
import { expect, it } from "vitest";
import type { oas31 } from "zod-openapi";
import { createOpenApiDocument, type WebhookPayloads } from "@/server/rest/openapi/document";
import { compileRoutes } from "@/server/rest/routes";

type Json = { [key: string]: unknown };
type Operation = Omit<oas31.OperationObject, "parameters"> & {
  parameters: oas31.ParameterObject[];
};

const ORIGIN = "http://localhost:3000";

/** Tests that the OpenAPI document of `router` meets the needs of tools and generated clients. */
export function expectValidDocument(router: AnyTRPCRouter, webhooks: WebhookPayloads = {}): void {
  const routes = compileRoutes(router);
  const document = createOpenApiDocument(routes, webhooks, ORIGIN);
  const operations = routes.map((route) => {
    const item = document.paths?.[route.meta.path] as unknown as Record<string, Operation>;
    const operation = item?.[route.meta.method.toLowerCase()];
    if (!operation) throw new Error(`${route.procedure} is not in the document`);
    return { route, operation };
  });

  it("resolves every reference and names every schema", () => {
    for (const ref of listReferences(document))
      expect(resolveReference(document, ref), ref).toBeDefined();
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/"\$defs"|__schema\d/);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it("gives every operation a unique identifier", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
    expect(new Set(names).size).toBe(names.length);
  });

  it("documents the served status, key and body", () => {
    for (const { route, operation } of operations) {
      const { meta, output, input } = route;
      const statuses = Object.keys(operation.responses ?? {});
      expect(statuses.filter((status) => status < "300")).toEqual([String(meta.status)]);
      expect(operation.responses?.[meta.status].content === undefined).toBe(output === null);
      expect(statuses.includes("401")).toBe(meta.key !== "none");
      expect(operation.security?.some((one) => "ApiKey" in one)).toBe(meta.key !== "none");
      const takesBody = input.body !== null;
      expect(operation.requestBody !== undefined).toBe(takesBody);
      expect(statuses.includes("413") && statuses.includes("415")).toBe(takesBody);
    }
  });

  it("declares each parameter where the transport reads it", () => {
    for (const { route, operation } of operations) {
      const declared = (place: string) =>
        operation.parameters.filter((one) => one.in === place).map(({ name }) => name);
      expect(declared("path")).toEqual(route.input.path.map(({ name }) => name));
      expect(declared("query")).toEqual(route.input.query.map(({ name }) => name));
      for (const one of operation.parameters)
        if (one.in === "path") {
          expect(one.required).toBe(true);
          expect((one.schema as oas31.SchemaObject).example, route.procedure).toBeDefined();
        }
    }
  });

  it("describes every error with the problem schema", () => {
    for (const { operation } of operations) {
      for (const [status, reference] of Object.entries(operation.responses ?? {})) {
        if (status < "400") continue;
        const response = resolveReference(document, reference.$ref) as oas31.ResponseObject;
        const [type = ""] = Object.keys(response.content ?? {});
        expect(type).toBe("application/problem+json");
        expect(response.content?.[type]?.schema?.$ref).toBe("#/components/schemas/Problem");
      }
    }
  });

  it("restricts properties in requests but not in responses", () => {
    const inResponses = new Set<string>();
    for (const { route, operation } of operations) {
      const answer = operation.responses?.[route.meta.status].content?.["application/json"]?.schema;
      for (const schema of listObjectSchemas(document, answer)) {
        expect(schema.additionalProperties, route.procedure).not.toBe(false);
        inResponses.add(JSON.stringify(schema));
      }
    }
    for (const { route, operation } of operations) {
      const body = operation.requestBody as oas31.RequestBodyObject | undefined;
      for (const schema of listObjectSchemas(document, body?.content["application/json"]?.schema)) {
        // Terms are one component in both directions; the service refuses unknown fields in them.
        if (inResponses.has(JSON.stringify(schema)) || schema.oneOf) continue;
        expect(schema.additionalProperties, route.procedure).toBeDefined();
      }
    }
  });
}

/** Yields every object within a document, arrays included. */
export function* listNodes(node: unknown): Generator<Json> {
  if (typeof node !== "object" || node === null) return;
  yield node as Json;
  for (const value of Object.values(node)) yield* listNodes(value);
}

function* listReferences(document: object): Generator<string> {
  for (const { $ref } of listNodes(document)) if (typeof $ref === "string") yield $ref;
}

function resolveReference(document: object, ref: string): unknown {
  const steps = ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((node, step) => (node as Json | undefined)?.[step], document);
}

/** Returns every object schema in `schema`, following references. */
function listObjectSchemas(document: object, schema: unknown, seen = new Set<unknown>()): Json[] {
  return [...listNodes(schema)].flatMap((node) => {
    if (seen.has(node)) return [];
    seen.add(node);
    if (typeof node.$ref === "string")
      return listObjectSchemas(document, resolveReference(document, node.$ref), seen);
    return node.type === "object" ? [node] : [];
  });
}
