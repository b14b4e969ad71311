import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";
import { createApiDocument } from "./api-document";

const HEADER =
  "// Generated from openapi.json: `npm run test:unit -- packages/sdk/tests/openapi.test.ts -u`.\n\n";

test("the types are those of the API", async () => {
  const types = astToString(await openapiTS(JSON.stringify(createApiDocument())));
  await expect(HEADER + types).toMatchFileSnapshot("../src/openapi.ts");
});
