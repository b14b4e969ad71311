import { expect, test } from "vitest";
import { createApiDocument } from "./api-document";

type Json = Record<string, unknown>;

const TEXTS = ["description", "example", "examples", "summary", "tags"];

/** Returns a part of the document in one line, without texts and examples. */
const format = (part: unknown): string =>
  JSON.stringify(part, (key, value) =>
    TEXTS.includes(key) && (typeof value === "string" || key.startsWith("example"))
      ? undefined
      : value,
  );

/** Lists the members of a part of the document, one in a line. */
const listMembers = (name: string, part: object): string[] =>
  Object.entries(part)
    .filter(([key]) => !TEXTS.includes(key))
    .map(([key, value]) => `${name} ${key} ${format(value)}`);

test("the API's shape changes only on purpose", async () => {
  const { paths = {}, webhooks = {}, components = {} } = createApiDocument();
  const { examples: _, ...parts } = components;
  const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, item]) =>
    Object.entries(item as Json).flatMap(([method, operation]) =>
      listMembers(`${method} ${path}`, operation as Json),
    ),
  );
  const named = Object.values(parts as Record<string, Record<string, Json>>).flatMap((kind) =>
    Object.entries(kind).flatMap(([name, { properties, ...rest }]) => [
      `${name} ${format(rest)}`,
      ...listMembers(name, properties ?? {}),
    ]),
  );
  await expect(`${[...operations, ...named].join("\n")}\n`).toMatchFileSnapshot("openapi.snap.txt");
});
