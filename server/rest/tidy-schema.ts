import type { ZodOpenApiOverride } from "zod-openapi";

/**
 * Takes out of a rendered schema what is zod's and not the interface's: the bounds of safe integers,
 * the key type of records, which is always text in JSON, the long form of what a time's format says,
 * and the promise that an answer will never gain a field.
 */
export const tidy: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (io === "output" && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties;
  }
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
  if (typeof jsonSchema.propertyNames === "object" && jsonSchema.propertyNames.type === "string") {
    const { type, ...constraints } = jsonSchema.propertyNames;
    if (Object.keys(constraints).length === 0) delete jsonSchema.propertyNames;
  }
};
