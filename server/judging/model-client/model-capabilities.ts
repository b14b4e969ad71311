import { z } from "zod";
import type { StructuredOutput } from "@/server/judging/schema";
import type { Question } from "./ask";

/** Form and parameters of a request that an endpoint's model accepts. */
export interface ModelCapabilities {
  form: StructuredOutput;
  parameters: { temperature?: number; max_tokens?: number; max_completion_tokens?: number };
}

/** Tried first. The limit leaves room for a reasoning model's thinking. */
export const FULL_CAPABILITIES: ModelCapabilities = {
  form: "json_schema",
  parameters: { temperature: 0.2, max_tokens: 16_000 },
};

const TOO_LONG = /context.?(length|window)|too (long|many tokens)|string_above_max_length/i;
const TOKEN_LIMIT = /max_(completion_|output_|new_)?tokens|(output|completion) tokens/i;

/**
 * Returns the capabilities to retry with after a request was rejected with the message `words`, or null
 * if nothing is left to change. Each change removes something, so this terminates. An unrecognized
 * message is treated as an unsupported form.
 */
export function adaptToRejection(
  capabilities: ModelCapabilities,
  words: string,
): ModelCapabilities | null {
  const { form, parameters } = capabilities;
  const { temperature, ...limits } = parameters;
  const { max_tokens, max_completion_tokens, ...unlimited } = parameters;
  if (max_tokens && /max_completion_tokens/i.test(words)) {
    return { form, parameters: { ...unlimited, max_completion_tokens: max_tokens } };
  }
  const isLimited = Boolean(max_tokens ?? max_completion_tokens);
  const isTooLong = TOO_LONG.test(words);
  if (isLimited && (isTooLong || TOKEN_LIMIT.test(words))) return { form, parameters: unlimited };
  if (isTooLong) return null;
  if (temperature && /temperature/i.test(words)) return { form, parameters: limits };
  if (form === "json_schema") return { ...capabilities, form: "json_object" };
  if (form === "json_object") return { ...capabilities, form: "prompt" };
  return temperature || isLimited ? { form, parameters: {} } : null;
}

/** Returns messages and `response_format` of a question in the required form. */
export function buildMessages(
  form: StructuredOutput,
  { messages, name, schema: answerSchema }: Question<unknown>,
) {
  const schema = toStrictJsonSchema(answerSchema);
  if (form === "json_schema") {
    const json_schema = { name, strict: true, schema };
    return { messages, response_format: { type: "json_schema" as const, json_schema } };
  }
  const demand = `Answer with one JSON object and nothing else: no words and no fence around it. It has to satisfy this JSON Schema:\n${JSON.stringify(schema)}`;
  const [system, user] = messages;
  const instructed = [{ ...system, content: `${system.content}\n\n${demand}` }, user];
  return form === "json_object"
    ? { messages: instructed, response_format: { type: "json_object" as const } }
    : { messages: instructed };
}

/** Keywords that strict structured output supports everywhere; the rest is checked on the answer. */
const SUPPORTED_KEYWORDS =
  /^(type|properties|required|additionalProperties|items|anyOf|enum|const|description|\$ref|\$defs)$/;

/**
 * Returns the JSON Schema of `schema` that endpoints accept: every property required, no additional
 * ones, and no limits on length or number. The caller checks the answer against the full `schema`.
 */
export function toStrictJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...strict } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.oneOf) jsonSchema.anyOf = jsonSchema.oneOf;
      if (jsonSchema.properties) {
        jsonSchema.required = Object.keys(jsonSchema.properties);
        jsonSchema.additionalProperties = false;
      }
      for (const keyword of Object.keys(jsonSchema)) {
        if (!SUPPORTED_KEYWORDS.test(keyword)) delete jsonSchema[keyword];
      }
    },
  });
  return strict;
}

/** Issues that an enforced schema rules out. All others are limits that only we check. */
const STRUCTURAL = new Set(["invalid_type", "unrecognized_keys", "invalid_union", "invalid_value"]);

/** Returns whether an answer violates the structure of its strict schema. */
export const violatesStructure = (error: z.ZodError): boolean =>
  error.issues.some(({ code }) => STRUCTURAL.has(code));
