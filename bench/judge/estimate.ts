import type { LabelledCase } from "./labelled-set";

/** USD per million tokens; null if not configured. */
export interface Prices {
  input: number | null;
  output: number | null;
}

export interface Estimate {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Null if no price is known. */
  costUsd: number | null;
}

// A rough upper estimate: a third of the cases gets its two further votes.
const VOTES = 3 + 2 / 3;
const STATIC_TOKENS = 1_200;
const RUBRIC_ANSWER = 500;
const VOTE_ANSWER = 900;
const BYTES_PER_TOKEN = 4;

/** Estimates the cost of judging `cases`, each `times` times. Assumes no prompt caching. */
export function estimate(cases: readonly LabelledCase[], prices: Prices, times = 1): Estimate {
  let inputTokens = 0;
  for (const { task, deliverable } of cases) {
    const ofTask = tokens(task);
    inputTokens += STATIC_TOKENS + ofTask;
    inputTokens += VOTES * (STATIC_TOKENS + RUBRIC_ANSWER + ofTask + tokens(deliverable));
  }
  const outputTokens = cases.length * (RUBRIC_ANSWER + VOTES * VOTE_ANSWER);
  const { input, output } = prices;
  return {
    calls: Math.round(cases.length * (1 + VOTES) * times),
    inputTokens: Math.round(inputTokens * times),
    outputTokens: Math.round(outputTokens * times),
    costUsd:
      input === null || output === null
        ? null
        : ((inputTokens * input + outputTokens * output) * times) / 1e6,
  };
}

/** Returns the sum of several estimates. */
export function together(parts: readonly Estimate[]): Estimate {
  const total = (of: (part: Estimate) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  return {
    calls: total((part) => part.calls),
    inputTokens: total((part) => part.inputTokens),
    outputTokens: total((part) => part.outputTokens),
    costUsd: parts.some((part) => part.costUsd === null)
      ? null
      : total((part) => part.costUsd ?? 0),
  };
}

function tokens(text: string): number {
  return Buffer.byteLength(text) / BYTES_PER_TOKEN;
}
