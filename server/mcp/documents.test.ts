import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { listClientConfigurations } from "./client-configuration";
import { TOOLS } from "./tools";

const manual = readFileSync("docs/integrations.md", "utf8");

test("the manual has the configuration of each client", () => {
  for (const { client, file, text } of listClientConfigurations("http://localhost:3000")) {
    expect(manual).toContain(`${client}, \`${file}\`:\n\n\`\`\`json\n${text}\n\`\`\``);
    expect(() => JSON.parse(text)).not.toThrow();
  }
});

test("the manual describes each tool", () => {
  const [, tools = ""] = /^### Tools\n(.*?)^###? /ms.exec(manual) ?? [];
  const listed = [...tools.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(TOOLS.map(({ name }) => name));
});

/** The parts of the registry's schema that the file uses, without further members. */
const input = {
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
  format: z.enum(["string", "number", "boolean", "filepath"]),
  default: z.string(),
  placeholder: z.string(),
};
const inputSchema = z.strictObject(input).partial();
const serverSchema = z.strictObject({
  $schema: z.literal(
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  remotes: z.array(
    z.strictObject({
      type: z.enum(["streamable-http", "sse"]),
      url: z.string().regex(/^https?:\/\/[^\s]+$/),
      variables: z.record(z.string(), inputSchema),
      headers: z.array(inputSchema.extend({ name: z.string() })),
    }),
  ),
});

test("server.json follows the registry's schema of 2025-12-11", () => {
  const { remotes, version } = serverSchema.parse(JSON.parse(readFileSync("server.json", "utf8")));
  expect(version).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
  for (const { url, variables } of remotes) {
    const used = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(used).toEqual(Object.keys(variables));
  }
});
