import { z } from "zod";

/**
 * Keywords that strict structured output supports everywhere; the rest is checked on the answer.
 */
const KEPT = new Set(
  "type properties required additionalProperties items anyOf enum const description $ref $defs".split(
    " ",
  ),
);

/**
 * Returns the JSON Schema of `schema` that endpoints accept: every property required, no additional
 * ones, and no limits on length or number. The caller checks the answer against the full `schema`.
 */
export function wireSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...wire } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.oneOf) jsonSchema.anyOf = jsonSchema.oneOf;
      if (jsonSchema.properties) {
        jsonSchema.required = Object.keys(jsonSchema.properties);
        jsonSchema.additionalProperties = false;
      }
      for (const keyword of Object.keys(jsonSchema)) {
        if (!KEPT.has(keyword)) delete jsonSchema[keyword];
      }
    },
  });
  return wire;
}

/** Issues that an enforced wire schema rules out; the others are limits checked here. */
const STRUCTURAL = new Set(["invalid_type", "unrecognized_keys", "invalid_union", "invalid_value"]);

/** Returns whether an answer violates the structure of its wire schema. */
export function breaksForm(error: z.ZodError): boolean {
  return error.issues.some(({ code }) => STRUCTURAL.has(code));
}
