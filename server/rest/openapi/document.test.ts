import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileRoutes } from "@/server/rest/routes";
import { expectValidDocument } from "@/server/testing/http/openapi-document";
import { createTestRouter } from "@/server/testing/http/test-router";
import { createOpenApiDocument } from "./document";

const router = createTestRouter({ calls: [] });
const shared = z.strictObject({ x: z.int() }).meta({ id: "TrialShared" });
const webhooks = {
  "trial.made": {
    summary: "A trial was made.",
    payload: z.strictObject({ id: z.string(), shared }).meta({ id: "TrialMade" }),
  },
  "trial.lost": { summary: "A trial was lost.", payload: z.strictObject({ shared }) },
};

describe("the OpenAPI document", () => {
  expectValidDocument(router, webhooks);

  const document = createOpenApiDocument(compileRoutes(router), webhooks, "https://a.example");

  it("names the origin of the request, and the version of the package", () => {
    expect(document.servers).toEqual([{ url: "https://a.example/api/v1" }]);
    expect(document.info.version).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
  });

  it.each([
    [undefined, undefined],
    ["mailto:api@a.example?subject=API", { name: "Standing", email: "api@a.example" }],
    ["https://a.example/contact", { name: "Standing", url: "https://a.example/contact" }],
  ])("names the operator's contact %s", (configured, contact) => {
    const routes = compileRoutes(router);
    const { info } = createOpenApiDocument(routes, webhooks, "http://localhost:3000", configured);
    expect(info.contact).toEqual(contact);
  });

  it("describes body, example and headers", () => {
    expect(document.paths?.["/notes"]?.post).toMatchObject({
      operationId: "createNote",
      security: [{ ApiKey: [] }, { Bearer: [] }],
      parameters: [
        { $ref: "#/components/parameters/X-Wallet-Address" },
        { $ref: "#/components/parameters/Idempotency-Key" },
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/CreateNoteRequest" },
            example: { note: "hello", valueUsdc: 1.5 },
          },
        },
      },
      responses: { 201: { headers: { Location: { description: "Path of the note" } } } },
    });
    expect(document.components?.schemas?.CreateNoteRequest).toMatchObject({
      required: ["note"],
      additionalProperties: false,
      properties: { note: { type: "string", minLength: 1 } },
    });
  });

  it("states whether a key is required or optional", () => {
    expect(document.paths?.["/notes/{noteId}"]?.get?.security).toEqual([
      {},
      { ApiKey: [] },
      { Bearer: [] },
    ]);
    expect(document.paths?.["/explore/search"]?.get?.security).toEqual([]);
  });

  it("documents X-Wallet-Address and its error for operations that accept a key", () => {
    for (const operation of [
      document.paths?.["/notes"]?.get,
      document.paths?.["/notes/{noteId}"]?.get,
    ]) {
      const header = { $ref: "#/components/parameters/X-Wallet-Address" };
      expect(operation?.parameters).toContainEqual(header);
      expect(operation?.responses?.["400"]).toBeDefined();
    }
  });

  it("documents the webhooks with open payloads", () => {
    const { operationId, requestBody } = document.webhooks?.["trial.made"]?.post ?? {};
    expect(operationId).toBe("onTrialMade");
    expect(requestBody).toMatchObject({
      content: { "application/json": { schema: { $ref: "#/components/schemas/TrialMade" } } },
    });
    const schemas = document.components?.schemas ?? {};
    for (const name of ["TrialMade", "TrialLostPayload", "TrialShared"]) {
      expect(schemas[name], name).toMatchObject({ type: "object" });
      expect(schemas[name], name).not.toHaveProperty("additionalProperties");
    }
    expect(schemas).not.toHaveProperty("TrialSharedOutput");
  });
});
