import { formatAmount } from "@/components/ui/format";
import type { ApiOperation, ApiSchema } from "@/server/pages/schema";

/** Whether an operation needs an API key; backticks mark code. */
export const API_KEYS: Record<ApiOperation["apiKey"], string> = {
  none: "Public: no API key.",
  optional: "API key optional; your own records show more.",
  required: "API key required in the header `X-API-Key`.",
};

/** Separates a schema that allows null from the schema of its other values. */
export function splitNullable(schema: ApiSchema): { schema: ApiSchema; isNullable: boolean } {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const [only = "null", ...more] = type.filter((name) => name !== "null");
    return {
      schema: { ...rest, type: more.length > 0 ? [only, ...more] : only },
      isNullable: true,
    };
  }
  const others = anyOf?.filter((one) => one.type !== "null") ?? [];
  const [only] = others;
  if (!anyOf || !only || others.length === anyOf.length) return { schema, isNullable: false };
  const values = others.length === 1 ? only : { anyOf: others };
  const { description = values.description } = rest;
  return {
    schema: { ...rest, ...values, ...(description ? { description } : {}) },
    isNullable: true,
  };
}

/** Names the type of a value: `string`, `array of Verdict`, `number or null`. */
export function describeType(given: ApiSchema): string {
  const { schema, isNullable } = splitNullable(given);
  const name = nameType(schema);
  return isNullable ? `${name} or null` : name;
}

function nameType({ type, format, items, oneOf, anyOf, title, properties }: ApiSchema): string {
  if (items) return `array of ${describeType(items)}`;
  if (title && (properties || oneOf || anyOf)) return title;
  if (oneOf || anyOf) return "one of several shapes";
  const base = [type ?? "any"].flat().join(" or ");
  return format ? `${base} (${format})` : base;
}

/** Lists the limits of a value in words. */
export function listConstraints(given: ApiSchema): string[] {
  const { schema } = splitNullable(given);
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const fallback = schema.default;
  return [
    describeRange(minimum, maximum, ""),
    describeRange(minLength, maxLength, " characters"),
    describeRange(minItems, maxItems, " items"),
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
  ].filter(Boolean);
}

function describeRange(min: number | undefined, max: number | undefined, unit: string): string {
  // The document's limit of an integer that has none.
  const isBounded = max !== undefined && max < Number.MAX_SAFE_INTEGER;
  if (min !== undefined && isBounded) return `${formatAmount(min)} to ${formatAmount(max)}${unit}`;
  if (isBounded) return `at most ${formatAmount(max)}${unit}`;
  return min === undefined ? "" : `at least ${formatAmount(min)}${unit}`;
}

/** Lists the values that a schema allows, or those of an array's items. */
export function listValues(given: ApiSchema): string[] {
  const { schema } = splitNullable(given);
  const { enum: values, const: only, items } = schema;
  if (only !== undefined) return [JSON.stringify(only)];
  if (values) return values.map((value) => String(value));
  return items ? listValues(items) : [];
}

/** Returns the fields inside a value: an object's, or those of an array's items. */
export function findFields(given: ApiSchema): ApiSchema | null {
  const { schema } = splitNullable(given);
  if (schema.properties || schema.oneOf || schema.anyOf) return schema;
  if (schema.items) return findFields(schema.items);
  return typeof schema.additionalProperties === "object"
    ? findFields(schema.additionalProperties)
    : null;
}
