import { describe, expect, test } from "vitest";
import { buildReference, type OpenApiDocument } from "@/server/pages/api-reference";
import { renderLlms } from "@/server/pages/discovery";
import { createOpenApiDocument } from "@/server/rest/openapi/document";
import { compileRoutes } from "@/server/rest/routes";
import { createUnreadApi } from "@/server/testing/http/unread-api";
import { webhookPayloads } from "@/server/webhooks/schema";
import { renderDocs, renderOperationPage } from "./render-docs";

const URL = "https://standing.example";
const document = createOpenApiDocument(compileRoutes(createUnreadApi()), webhookPayloads, URL);
const tags = buildReference(JSON.parse(JSON.stringify(document)) as OpenApiDocument);
const operations = tags.flatMap((tag) => tag.operations);

describe("the Markdown page of an operation", () => {
  test("has its fields, an example, its errors and where to send it", () => {
    const submit = operations.find(({ id }) => id === "submit-outcome") ?? expect.fail();
    const page = renderOperationPage(URL, submit);
    expect(page).toMatch(/^# Submit an outcome: `POST \/outcome`\n/);
    for (const part of [
      "API key required",
      "- `Idempotency-Key` (string, header",
      "- `taskDescription` (",
      "\n- or, instead:\n- `agreementId` (",
      '"estimatedResolutionSeconds": 30',
      "- 422 `idempotency-key-reused`:",
      `Base URL: \`${URL}/api/v1\``,
    ]) {
      expect(page).toContain(part);
    }
  });

  test("is short, and linked from llms.txt and docs.md", () => {
    const [llms, docs] = [renderLlms(URL, tags), renderDocs(URL, tags)];
    for (const operation of operations) {
      const { id } = operation;
      expect(renderOperationPage(URL, operation).length, id).toBeLessThan(25_000);
      for (const text of [llms, docs]) expect(text).toContain(`${URL}/docs/operations/${id}.md)`);
    }
    expect(llms.length).toBeLessThan(12_000);
  });
});
