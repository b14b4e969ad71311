import type { ApiBody, ApiOperation, ApiSchema, ApiTag } from "@/server/pages/schema";
import { API_KEYS, describeType, findFields, listConstraints, listValues } from "./describe-schema";
import { getQuickStartSteps, LANGUAGES, type Language } from "./quick-start/quick-start-steps";

/** Nested fields below this depth are left to openapi.json. */
const MAX_DEPTH = 2;

/**
 * Renders the quick start and the reference of the API as Markdown, for readers that don't open
 * pages.
 * @param url Public URL of the service, without a trailing slash.
 */
export function renderDocs(url: string, tags: readonly ApiTag[]): string {
  return [
    "# Standing API",
    `Plain HTTP and JSON. Base URL: \`${url}/api/v1\`. Errors are problem details (RFC 9457) with a stable \`code\`, which \`${url}/problems/{code}\` explains. The same as OpenAPI 3.1: [openapi.json](${url}/openapi.json).`,
    "## Quick start",
    ...(Object.keys(LANGUAGES) as Language[]).flatMap((language) => renderSteps(url, language)),
    ...tags.flatMap(({ name, description, operations }) => [
      `## ${name}`,
      description,
      ...operations.flatMap((operation) => [
        ...renderOperation(operation, "###"),
        `[This operation alone](${url}/docs/operations/${operation.id}.md)`,
      ]),
    ]),
    "",
  ].join("\n\n");
}

/** Renders the page of one operation or webhook event as Markdown. */
export function renderOperationPage(url: string, operation: ApiOperation): string {
  return [
    ...renderOperation(operation, "#"),
    `Base URL: \`${url}/api/v1\`. Errors are problem details (RFC 9457); \`${url}/problems/{code}\` explains each. [All operations](${url}/llms.txt)`,
    "",
  ].join("\n\n");
}

function renderSteps(url: string, language: Language): string[] {
  const steps = getQuickStartSteps(url, language);
  const code = steps.map(({ code }) => code).join("\n\n");
  const fence = language === "curl" ? "sh" : language;
  return [
    `### ${LANGUAGES[language]}: ${steps.map(({ title }) => title.toLowerCase()).join(", ")}`,
    `\`\`\`${fence}\n${code}\n\`\`\``,
  ];
}

function renderOperation(operation: ApiOperation, heading: string): string[] {
  const { method, path, summary, description, parameters, request, response, errors } = operation;
  const isEvent = method === "EVENT";
  return [
    isEvent ? `${heading} ${summary}` : `${heading} ${summary}: \`${method} ${path}\``,
    description,
    isEvent ? "" : API_KEYS[operation.apiKey],
    parameters
      .map(({ name, in: place, required, schema, description }) =>
        renderField(name, schema, `${place}${required ? ", required" : ""}`, description),
      )
      .join("\n"),
    ...renderBody(isEvent ? "Payload" : "Request body", request),
    ...(isEvent ? [] : renderBody(`Response ${response.status}`, response.body)),
    errors
      .map(({ status, code, description }) => `- ${status} \`${code}\`: ${description}`)
      .join("\n"),
  ].filter(Boolean);
}

function renderBody(title: string, body: ApiBody | null): string[] {
  if (!body) return [];
  return [
    `**${title}** (${body.mediaType})`,
    renderFields(body.schema, 0),
    `\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\``,
  ].filter(Boolean);
}

function renderFields(schema: ApiSchema, depth: number): string {
  const { properties = {}, required = [], oneOf, anyOf } = findFields(schema) ?? {};
  const indent = "  ".repeat(depth);
  const variants = (oneOf ?? anyOf ?? [])
    .map((variant) => renderFields(variant, depth))
    .filter(Boolean)
    .map((variant, index) => (index === 0 ? variant : `${indent}- or, instead:\n${variant}`));
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    indent + renderField(name, field, required.includes(name) ? "" : "optional"),
    depth < MAX_DEPTH && findFields(field) ? renderFields(field, depth + 1) : "",
  ]);
  return [...fields, ...variants].filter(Boolean).join("\n");
}

function renderField(
  name: string,
  schema: ApiSchema,
  mark: string,
  description = schema.description,
): string {
  const values = listValues(schema).map((value) => `\`${value}\``);
  const facts = [describeType(schema), mark, ...listConstraints(schema), values.join(" or ")];
  return `- \`${name}\` (${facts.filter(Boolean).join(", ")})${description ? `: ${description}` : ""}`;
}
