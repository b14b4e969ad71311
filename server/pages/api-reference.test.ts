import { expect, test } from "vitest";
import {
  buildReference,
  createExample,
  type OpenApiDocument,
  resolveReferences,
} from "./api-reference";

const document = {
  tags: [{ name: "Outcomes", description: "Submit outcomes." }],
  paths: {
    "/outcome/{outcomeId}": {
      get: {
        operationId: "getOutcome",
        tags: ["Outcomes"],
        summary: "Read an outcome",
        description: "Reads it.",
        security: [{}, { ApiKey: [] }],
        parameters: [{ $ref: "#/components/parameters/Id" }],
        responses: {
          "200": {
            description: "An outcome",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Outcome" } } },
          },
          "409": { description: "`not-ready`: Not ready.\n\n`payment-used`: Already used." },
        },
      },
    },
  },
  webhooks: {
    "outcome.resolved": {
      post: {
        operationId: "onOutcomeResolved",
        summary: "An outcome was judged.",
        description: "An outcome was judged. Signed.",
        security: [],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Outcome" } } },
        },
        responses: { "204": { description: "Received." } },
      },
    },
  },
  components: {
    parameters: {
      Id: {
        name: "outcomeId",
        in: "path",
        required: true,
        schema: { type: "string", format: "uuid" },
      },
    },
    schemas: {
      Outcome: {
        type: "object",
        properties: {
          verdict: { $ref: "#/components/schemas/Verdict", description: "The final one" },
          note: { type: "string" },
        },
        required: ["verdict"],
      },
      Verdict: { type: "string", enum: ["SUCCESS", "FAILURE"], description: "A verdict" },
    },
  },
} as unknown as OpenApiDocument;

test("lists operations by tag, then events", () => {
  const [outcomes, events] = buildReference(document);
  expect(outcomes).toMatchObject({
    name: "Outcomes",
    operations: [{ id: "get-outcome", method: "GET", apiKey: "optional" }],
  });
  expect(events?.operations).toMatchObject([
    { id: "on-outcome-resolved", method: "EVENT", summary: "outcome.resolved", apiKey: "none" },
  ]);
});

test("lists each error of a status", () => {
  const [operation] = buildReference(document)[0]?.operations ?? [];
  expect(operation?.errors).toEqual([
    { status: 409, code: "not-ready", description: "Not ready." },
    { status: 409, code: "payment-used", description: "Already used." },
  ]);
});

test("creates an example if the document has none", () => {
  const [operation] = buildReference(document)[0]?.operations ?? [];
  expect(operation?.parameters[0]?.example).toMatch(/^[0-9a-f-]{36}$/);
  expect(operation?.response.body?.example).toEqual({ verdict: "SUCCESS" });
  expect(createExample({ type: "array", items: { type: "integer", minimum: 3 } })).toEqual([3]);
});

test("resolves references; keywords beside one take precedence", () => {
  const { paths } = resolveReferences(document);
  const content = paths["/outcome/{outcomeId}"]?.get?.responses["200"]?.content;
  expect(content?.["application/json"]?.schema).toMatchObject({
    title: "Outcome",
    properties: { verdict: { title: "Verdict", description: "The final one", type: "string" } },
  });
});

test("rejects a circular or missing reference", () => {
  const withSchemas = (schemas: object) =>
    ({ ...document, components: { ...document.components, schemas } }) as OpenApiDocument;
  const self = { $ref: "#/components/schemas/Outcome" };
  expect(() => buildReference(withSchemas({ Outcome: { items: self } }))).toThrow("circular");
  expect(() => buildReference(withSchemas({}))).toThrow("is missing");
});
