import { expect, test } from "vitest";
import type { ApiOperation } from "@/server/pages/schema";
import { createCurlCommand } from "./curl-command";

const API = "https://standing.example/api/v1";
const read: ApiOperation = {
  id: "get-outcome",
  method: "GET",
  path: "/outcome/{outcomeId}",
  summary: "",
  description: "",
  apiKey: "none",
  parameters: [
    {
      name: "outcomeId",
      in: "path",
      required: true,
      description: "",
      schema: {},
      example: "a/b",
    },
  ],
  request: null,
  response: { status: 200, headers: [], body: null },
  errors: [],
};

test("fills the path with encoded examples", () => {
  expect(createCurlCommand(API, read)).toBe(`curl '${API}/outcome/a%2Fb'`);
});

test("sends required query parameters only", () => {
  const query = { in: "query" as const, description: "", schema: {}, example: "a b" };
  const parameters = [
    { ...query, name: "q", required: true },
    { ...query, name: "sort", required: false },
  ];
  expect(createCurlCommand(API, { ...read, path: "/search", parameters })).toBe(
    `curl '${API}/search?q=a%20b'`,
  );
});

test("sends key and body, with quotes escaped for the shell", () => {
  const request = { mediaType: "application/json", schema: {}, example: { reason: "It's" } };
  const post = { ...read, method: "POST" as const, path: "/disputes", request };
  expect(createCurlCommand(API, { ...post, apiKey: "required" })).toBe(
    `curl '${API}/disputes' \\
  -H "X-API-Key: $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "reason": "It'\\''s"
}'`,
  );
});

test("names a method that curl doesn't imply", () => {
  expect(createCurlCommand(API, { ...read, method: "DELETE", path: "/x" })).toContain("-X DELETE ");
  expect(createCurlCommand(API, { ...read, method: "POST", path: "/x" })).toContain("-X POST ");
});
