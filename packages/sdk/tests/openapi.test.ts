import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";
import { createApi } from "@/server/bootstrap/api";
import { createOpenApiDocument } from "@/server/rest/openapi/document";
import { compileRoutes } from "@/server/rest/routes";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import { webhookPayloads } from "@/server/webhooks/schema";

const HEADER =
  "// Generated from openapi.json: `npm run test:unit -- packages/sdk/tests/openapi.test.ts -u`.\n\n";

test("the types are those of the API", async () => {
  const unread = () => Promise.reject(new Error("no reputation is read here"));
  const api = createApi({
    reputations: { get: unread, getMany: unread },
    judge: builtinJudge,
    statements: { issue: unread },
  });
  const document = createOpenApiDocument(
    compileRoutes(api),
    webhookPayloads,
    "http://localhost:3000",
  );
  const types = astToString(await openapiTS(JSON.stringify(document)));
  await expect(HEADER + types).toMatchFileSnapshot("../src/openapi.ts");
});
