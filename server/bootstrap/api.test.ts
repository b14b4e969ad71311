import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { oas31 } from "zod-openapi";
import { unwrapSchema } from "@/server/lib/input/omit-absent";
import { InputError, parseInput } from "@/server/lib/input/parse-input";
import { RATE_LIMITS } from "@/server/rate-limit/limits";
import { createOpenApiDocument } from "@/server/rest/openapi/document";
import { createOperation } from "@/server/rest/openapi/operation";
import { compileRoutes } from "@/server/rest/routes";
import { expectValidDocument, listNodes } from "@/server/testing/http/openapi-document";
import { createUnreadApi } from "@/server/testing/http/unread-api";
import { webhookPayloads } from "@/server/webhooks/schema";

const api = createUnreadApi();

describe("every documented example request", () => {
  const examples = compileRoutes(api).flatMap(({ meta, input, procedure }) => {
    const { request } = meta.example ?? {};
    const isObject = typeof request === "object" && request !== null && !Array.isArray(request);
    return isObject && input.body ? [{ procedure, request, fields: input.body.fields }] : [];
  });

  test.each(examples)("of $procedure means the same with nulls in optional fields", (example) => {
    const schema = z.strictObject(
      Object.fromEntries(example.fields.map(({ name, schema }) => [name, schema])),
    );
    const absent = example.fields.flatMap(({ name, required }) =>
      required || name in example.request ? [] : [name],
    );
    const expected = parseInput(schema, example.request);
    fc.assert(
      fc.property(fc.subarray(absent), (names) => {
        const nulls = Object.fromEntries(names.map((name) => [name, null]));
        expect(parseInput(schema, { ...example.request, ...nulls })).toEqual(expected);
      }),
    );
  });

  test.each(examples)(
    "of $procedure is refused with a misspelled field, which is named",
    (example) => {
      const schema = z.strictObject(
        Object.fromEntries(example.fields.map(({ name, schema }) => [name, schema])),
      );
      for (const [name, value] of Object.entries(example.request)) {
        const { [name]: _, ...rest } = example.request as Record<string, unknown>;
        for (const typo of [`${name}s`, name.slice(1), name.replace(/[A-Z]/g, "_$&")]) {
          if (typo === name) continue;
          expect(() => parseInput(schema, { ...rest, [typo]: value })).toThrow(
            expect.objectContaining({
              violations: expect.arrayContaining([
                expect.objectContaining({ code: "unknown-field", path: [typo], suggestion: name }),
              ]),
            }),
          );
        }
      }
    },
  );
});

test("the error of a text in a wrong form says in a sentence what it must be", () => {
  const seen: string[] = [];
  for (const { input, meta } of compileRoutes(api)) {
    const fields = [...input.path, ...input.query, ...(input.body?.fields ?? [])];
    const whole = input.body?.whole ? [input.body.whole] : [];
    for (const leaf of [...fields, ...whole].flatMap(({ schema }) => listTexts(schema))) {
      for (const wrong of ["yesterday", "~", "5"]) {
        const { violations = [] } = catchError(() => parseInput(leaf, wrong));
        for (const { detail, code } of violations) {
          expect(detail, `${meta.operationId}: ${detail}`).not.toMatch(/[\\^$]|\(\?|regex|pattern/);
          seen.push(code);
        }
      }
    }
  }
  expect(seen).toContain("invalid-format");
});

/** Returns the schemas of all texts in a schema. */
function listTexts(schema: z.core.$ZodType): z.ZodType[] {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodObject) return Object.values(inner.shape).flatMap(listTexts);
  if (inner instanceof z.ZodArray) return listTexts(inner.element);
  if (inner instanceof z.ZodUnion) return [inner, ...inner.options.flatMap(listTexts)];
  return [schema as z.ZodType];
}

function catchError(call: () => unknown): Partial<InputError> {
  try {
    call();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  return {};
}

describe("the document of the whole API", () => {
  expectValidDocument(api, webhookPayloads);

  const document = createOpenApiDocument(
    compileRoutes(api),
    webhookPayloads,
    "https://standing.example",
  );
  const schemas = document.components?.schemas ?? {};

  /** Whether a schema, or the one that it refers to, says what the value means. */
  function isDescribed(schema: oas31.SchemaObject | oas31.ReferenceObject): boolean {
    if (schema.description) return true;
    const target = schemas[schema.$ref?.replace("#/components/schemas/", "") ?? ""];
    return target !== undefined && isDescribed(target);
  }

  test("describes every property and parameter", () => {
    const missing = [...listNodes(document)].flatMap(({ type, properties }) =>
      type === "object"
        ? Object.entries(properties ?? {}).filter(([, schema]) => !isDescribed(schema))
        : [],
    );
    expect(missing).toEqual([]);
    const parameters = [...listNodes(document)].filter((node) => "in" in node && "schema" in node);
    expect(parameters.filter(({ description }) => !description)).toEqual([]);
  });

  test("has an example for every successful response, which the linters validate", () => {
    const missing = compileRoutes(api).filter(
      ({ meta, output }) => output !== null && meta.example?.response === undefined,
    );
    expect(missing.map(({ meta }) => meta.operationId)).toEqual([]);
  });

  test("documents the rate limits that are enforced", () => {
    const limited = compileRoutes(api).filter(({ meta }) => meta.perMinute !== undefined);
    expect(limited.map(({ meta }) => [meta.path, meta.perMinute])).toEqual([
      ["/agents/register", RATE_LIMITS.register],
      ["/agents/me", RATE_LIMITS["identity-link"]],
      ["/agreements/draft", RATE_LIMITS["agreement-draft"]],
      ["/agreements", RATE_LIMITS["agreement-proposal"]],
      ["/agreements/{agreementId}/accept", RATE_LIMITS["agreement-answer"]],
      ["/agreements/{agreementId}/decline", RATE_LIMITS["agreement-answer"]],
      ["/agreements/{agreementId}/cancel", RATE_LIMITS["agreement-answer"]],
      ["/agreements/{agreementId}/settled", RATE_LIMITS["agreement-answer"]],
      ["/agreements/{agreementId}/check", RATE_LIMITS["requirement-check"]],
      ["/requirements/check", RATE_LIMITS["requirement-check"]],
      ["/outcome", RATE_LIMITS.outcome],
      ["/outcome/{outcomeId}/refund", RATE_LIMITS.refund],
      ["/disputes", RATE_LIMITS.dispute],
      ["/disputes/{disputeId}/stake", RATE_LIMITS.stake],
      ["/evaluator/quote", RATE_LIMITS["agreement-answer"]],
      ["/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", RATE_LIMITS["webhook-calls"]],
      ["/webhooks/{webhookId}/replay", RATE_LIMITS["webhook-calls"]],
      ["/webhooks/{webhookId}/ping", RATE_LIMITS["webhook-calls"]],
    ]);
    for (const route of limited) {
      expect(createOperation(route).description).toContain(
        `Limited to ${route.meta.perMinute} requests per minute.`,
      );
    }
  });
});
