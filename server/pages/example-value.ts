import type { ApiSchema } from "./schema";

const FORMATS: Record<string, unknown> = {
  uuid: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  uri: "https://example.com",
  date: "2026-11-21",
  "date-time": "2026-11-21T12:00:00.000Z",
};
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const HASH = `0x${"5b".repeat(32)}`;

/** Returns a value that `schema` allows, from its own examples if it has any. */
export function createExample(schema: ApiSchema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [variant] = schema.oneOf ?? schema.anyOf ?? [];
  if (variant) return createExample(variant);
  switch ([schema.type].flat()[0]) {
    case "object":
      return createObject(schema);
    case "array":
      return schema.items ? [createExample(schema.items)] : [];
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return true;
    case "string":
      return createText(schema);
    default:
      return null;
  }
}

function createObject({ properties = {}, required = [] }: ApiSchema) {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, createExample(property)]),
  );
}

function createText({ format, description = "" }: ApiSchema): unknown {
  if (format && format in FORMATS) return FORMATS[format];
  if (/wallet address/i.test(description)) return WALLET;
  return /transaction|sha-256|hash/i.test(description) ? HASH : "text";
}
