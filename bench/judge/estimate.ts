import type { LabelledCase } from "./labelled-set";

/** USD per million tokens. */
interface Prices {
  input: number | undefined;
  output: number | undefined;
}

/** A third examination and repeated questions are too rare to matter here. */
const CALLS = 2;
/** With texts of usual length, a call has about 900 tokens in. */
const STATIC_TOKENS = 650;
const OUTPUT_TOKENS = 250;
const BYTES_PER_TOKEN = 4;

const countTokens = (text: string) => Buffer.byteLength(text) / BYTES_PER_TOKEN;

/** Estimates the cost of judging `cases`. Assumes no prompt caching. */
export function estimateCost(cases: readonly LabelledCase[], { input, output }: Prices) {
  const texts = cases.map(({ task, deliverable }) => countTokens(task + deliverable));
  const inputTokens = CALLS * texts.reduce((sum, tokens) => sum + STATIC_TOKENS + tokens, 0);
  const calls = CALLS * cases.length;
  const outputTokens = calls * OUTPUT_TOKENS;
  const isPriced = input !== undefined && output !== undefined;
  return {
    calls,
    inputTokens: Math.round(inputTokens),
    outputTokens,
    /** Null if no price is known. */
    costUsd: isPriced ? (inputTokens * input + outputTokens * output) / 1e6 : null,
  };
}

type Estimate = ReturnType<typeof estimateCost>;

/** Describes the expected cost of a run in one sentence. */
export function describeEstimate({ calls, inputTokens, outputTokens, costUsd }: Estimate): string {
  const number = (value: number) => value.toLocaleString("en");
  const cost =
    costUsd === null
      ? "at a price that is not configured (JUDGE_PRICE_INPUT, JUDGE_PRICE_OUTPUT)"
      : `for about ${costUsd.toFixed(2)} USD`;
  return `About ${number(calls)} calls, ${number(inputTokens)} tokens in and ${number(outputTokens)} out, ${cost}; recorded responses cost nothing.`;
}
