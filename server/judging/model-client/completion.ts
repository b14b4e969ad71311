import { z } from "zod";
import { toStorableText } from "@/server/judging/canonicalise";
import type { CallRecord } from "@/server/judging/schema";
import type { Env } from "@/server/lib/env";

const tokenCount = z.int().nonnegative();
/** Null if the endpoint sends nothing, or something else. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
const shortText = optional(z.string().transform((text) => toStorableText(text.slice(0, 200))));

const usageSchema = z
  .object({
    prompt_tokens: tokenCount,
    completion_tokens: tokenCount,
    prompt_tokens_details: optional(z.object({ cached_tokens: tokenCount.nullish() })),
    /** DeepSeek's field for cached tokens. */
    prompt_cache_hit_tokens: optional(tokenCount),
    /** OpenRouter's field, in USD. */
    cost: optional(z.number().nonnegative()),
  })
  .transform(({ prompt_tokens: input, completion_tokens: output, cost, ...cached }) => {
    const reported = cached.prompt_tokens_details?.cached_tokens ?? cached.prompt_cache_hit_tokens;
    return { input, cachedInput: Math.min(reported ?? 0, input), output, cost: cost ?? null };
  });
export type Usage = z.infer<typeof usageSchema>;

const part = z.object({ type: z.string(), text: optional(z.string()) });
const content = optional(z.union([z.string(), z.array(part)]));

/** Requires only `choices`, since endpoints differ in everything else. */
export const completionSchema = z.object({
  model: shortText,
  choices: z.array(
    z.object({
      finish_reason: shortText,
      error: z.unknown().optional(),
      message: optional(z.object({ content, refusal: optional(z.string()) })),
    }),
  ),
  usage: optional(usageSchema),
});
export type Completion = z.infer<typeof completionSchema>;

const FILTERED =
  /^(content_filter|content_filtered|safety|sensitive|refusal|prohibited_content|blocklist)$/;
const TRUNCATED = /^(length|max_tokens|model_length)$/;

/** Returns a model's text, whether it is complete, and whether the model declined to answer. */
export function extractText(choice: Completion["choices"][number] | undefined) {
  const content = choice?.message?.content ?? "";
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const texts = parts.filter(({ type }) => type === "text" || type === "output_text");
  const reason = choice?.finish_reason?.toLowerCase() ?? "";
  return {
    text: texts.map(({ text }) => text ?? "").join(""),
    isComplete: !TRUNCATED.test(reason),
    isRefusal:
      FILTERED.test(reason) ||
      Boolean(choice?.message?.refusal) ||
      parts.some(({ type }) => type === "refusal"),
  };
}

export type Prices = Pick<
  Env,
  "JUDGE_PRICE_INPUT" | "JUDGE_PRICE_CACHED_INPUT" | "JUDGE_PRICE_OUTPUT"
>;

/** Sums tokens and cost of all responses to one question; null if not reported. */
export function computeUsage(
  usages: Usage[],
  { JUDGE_PRICE_INPUT, JUDGE_PRICE_CACHED_INPUT, JUDGE_PRICE_OUTPUT }: Prices,
): Pick<CallRecord, "tokens" | "costUsd"> {
  if (usages.length === 0) return { tokens: null, costUsd: null };
  const sum = (key: keyof Usage) => usages.reduce((total, usage) => total + (usage[key] ?? 0), 0);
  const [input, cachedInput, output] = [sum("input"), sum("cachedInput"), sum("output")];
  const tokens = { input, cachedInput, output };
  if (JUDGE_PRICE_INPUT === undefined || JUDGE_PRICE_OUTPUT === undefined) {
    const isCostKnown = usages.every(({ cost }) => cost !== null);
    return { tokens, costUsd: isCostKnown ? sum("cost") : null };
  }
  const micros =
    (input - cachedInput) * JUDGE_PRICE_INPUT +
    cachedInput * (JUDGE_PRICE_CACHED_INPUT ?? JUDGE_PRICE_INPUT) +
    output * JUDGE_PRICE_OUTPUT;
  return { tokens, costUsd: micros / 1_000_000 };
}
