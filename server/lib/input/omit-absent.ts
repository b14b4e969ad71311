import { z } from "zod";

/**
 * Returns `value` without the optional fields that count as absent: null, and the empty string for a
 * URL or an e-mail address. Generated clients and forms send these for fields that their user left
 * empty. A null stays if the schema gives it a meaning of its own.
 */
export function omitAbsent(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((entry) => omitAbsent(inner.element, entry));
  }
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return value;
  const present = Object.entries(value).flatMap(([name, member]) => {
    const field = Object.hasOwn(inner.shape, name) ? inner.shape[name] : undefined;
    if (!field) return [[name, member]];
    return isAbsent(field, member) ? [] : [[name, omitAbsent(field, member)]];
  });
  return Object.fromEntries(present);
}

function isAbsent(field: z.core.$ZodType, value: unknown): boolean {
  const mayBeAbsent = value === null || (value === "" && isLink(unwrapSchema(field)));
  return mayBeAbsent && isAllowed(field, undefined) && !isAllowed(field, value);
}

const isAllowed = (field: z.core.$ZodType, value: unknown) => z.safeParse(field, value).success;

/** Whether a schema is of a URL or an e-mail address. */
function isLink(schema: z.core.$ZodType): boolean {
  const { format } = schema._zod.def as { format?: string };
  return format === "email" || z.globalRegistry.get(schema)?.format === "uri";
}

/** Returns the schema of the value as sent, within optional, default, nullable and pipe. */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const def = schema._zod.def as { innerType?: z.core.$ZodType; in?: z.core.$ZodType };
  const inner = def.innerType ?? def.in;
  return inner ? unwrapSchema(inner) : schema;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
