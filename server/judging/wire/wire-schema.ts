import { z } from "zod";

/** What strict structured output takes everywhere; all else is checked here, on the answer. */
const KEPT = new Set(
  "type properties required additionalProperties items anyOf enum const description $ref $defs".split(
    " ",
  ),
);

/**
 * The JSON Schema of `schema` as endpoints take it: every property required, no other allowed, and
 * no limits of length or number. The whole of `schema` is checked on the answer.
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

/** Issues that a schema kept on the wire makes impossible; the others are limits checked here. */
const STRUCTURAL = new Set(["invalid_type", "unrecognized_keys", "invalid_union", "invalid_value"]);

/** Whether an answer is of another form than its wire schema asked for. */
export function breaksForm(error: z.ZodError): boolean {
  return error.issues.some(({ code }) => STRUCTURAL.has(code));
}
