import { getRuntime } from "@/server/bootstrap/runtime";
import { respondRest } from "@/server/rest/transports/fetch";
import { createExample } from "./example-value";
import { type OpenApiDocument, type OpenApiOperation, resolveReferences } from "./openapi-document";
import type { ApiBody, ApiError, ApiOperation, ApiTag } from "./schema";

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
  const request = new Request("http://localhost/api/v1/openapi.json");
  const response = await respondRest((await getRuntime()).rest, request);
  if (!response.ok) throw new Error(`openapi.json returned ${response.status}`);
  return buildReference((await response.json()) as OpenApiDocument);
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
