import { describe, expect, test } from "vitest";
import { z } from "zod";
import { toStrictJsonSchema, violatesStructure } from "./model-capabilities";
import { resolveEndpoint } from "./send-request";

test("the default base URL is OpenAI's", () => {
  const { options, host } = resolveEndpoint({ OPENAI_API_KEY: "sk" });
  expect(options).toMatchObject({ baseURL: "https://api.openai.com/v1", apiKey: "sk" });
  expect(host).toBe("api.openai.com");
});

test("a query is sent with each request, and Azure gets its own header for the key", () => {
  const { options, host } = resolveEndpoint({
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL:
      "https://mine.openai.azure.com/openai/deployments/judge/?api-version=2024-10-21",
  });
  expect(options).toMatchObject({
    baseURL: "https://mine.openai.azure.com/openai/deployments/judge",
    defaultQuery: { "api-version": "2024-10-21" },
    defaultHeaders: { "api-key": "key" },
  });
  expect(host).toBe("mine.openai.azure.com");
});

test("a host name that only ends like Azure's gets no second header", () => {
  const { options } = resolveEndpoint({
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: "http://notopenai.azure.com.example/v1",
  });
  expect(options).not.toHaveProperty("defaultHeaders");
});

describe("the strict JSON schema", () => {
  const schema = z.object({
    quote: z.string().min(1).max(9).regex(/a/).describe("Copied"),
    count: z.int().min(1).max(3),
    share: z.number().optional(),
    list: z
      .array(z.strictObject({ id: z.literal("x") }))
      .min(1)
      .max(2),
    either: z.discriminatedUnion("is", [
      z.object({ is: z.literal("a"), a: z.string() }),
      z.object({ is: z.literal("b"), minimum: z.string() }),
    ]),
  });

  test("keeps structure, order and descriptions, but no limits", () => {
    expect(toStrictJsonSchema(schema)).toEqual({
      type: "object",
      properties: {
        quote: { type: "string", description: "Copied" },
        count: { type: "integer" },
        share: { type: "number" },
        list: {
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "string", const: "x" } },
            required: ["id"],
            additionalProperties: false,
          },
        },
        either: {
          anyOf: [
            {
              type: "object",
              properties: { is: { type: "string", const: "a" }, a: { type: "string" } },
              required: ["is", "a"],
              additionalProperties: false,
            },
            {
              type: "object",
              properties: { is: { type: "string", const: "b" }, minimum: { type: "string" } },
              required: ["is", "minimum"],
              additionalProperties: false,
            },
          ],
        },
      },
      required: ["quote", "count", "share", "list", "either"],
      additionalProperties: false,
    });
    expect(Object.keys(toStrictJsonSchema(schema).properties as object)[0]).toBe("quote");
  });
});

describe("an answer", () => {
  const schema = z.strictObject({ id: z.string().max(2), met: z.enum(["yes", "no"]) });
  const violates = (answer: unknown) => {
    const { error } = schema.safeParse(answer);
    return error ? violatesStructure(error) : null;
  };
  test.each([
    [null],
    [{}],
    [{ id: 1, met: "yes" }],
    [{ id: "a", met: "maybe" }],
    [{ id: "a", met: "no", x: 1 }],
  ])("%j violates the structure", (answer) => expect(violates(answer)).toBe(true));
  test("that only exceeds a limit does not violate the structure", () => {
    expect(violates({ id: "abc", met: "yes" })).toBe(false);
  });
});
