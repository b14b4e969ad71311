import type { z } from "zod";
import { toStorableText } from "@/server/judging/canonicalise";
import type { JudgeUnavailable } from "@/server/judging/judge";
import type { CallRecord } from "@/server/judging/schema";
import type { Env } from "@/server/lib/env";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { inWorker } from "@/server/lib/process/worker-pool";
import { HOUR_MS } from "@/server/lib/time";
import { type Answer, type AskModel, NoAnswer, type Question } from "./ask";
import { createCallQueues, Overdue } from "./call-queues";
import { computeUsage, extractText, type Usage } from "./completion";
import {
  adaptToRejection,
  buildParameters,
  downgrade,
  FULL_CAPABILITIES,
  type ModelCapabilities,
  toStrictJsonSchema,
  violatesStructure,
} from "./model-capabilities";
import { parseJsonObjects } from "./parse-json-objects";
import {
  type Clock,
  cancelled,
  createRetryPolicy,
  createSender,
  resolveEndpoint,
  systemClock,
} from "./send-request";

export type ModelClientEnv = Pick<
  Env,
  | "OPENAI_API_KEY"
  | "OPENAI_BASE_URL"
  | "JUDGE_TIMEOUT_SECONDS"
  | "JUDGE_CONCURRENCY"
  | "JUDGE_PRICE_INPUT"
  | "JUDGE_PRICE_CACHED_INPUT"
  | "JUDGE_PRICE_OUTPUT"
>;

export interface ModelClientOptions extends Partial<Clock> {
  /** Timeout per request; overrides the configured seconds. */
  timeoutMs?: number;
  /** Receives the kind and status of failures, but no text from an endpoint. */
  log?: { warn(facts: Record<string, string | number | null>, message: string): void };
}

/** Longer answers, which judged texts can provoke, are parsed in a worker thread. */
const MAX_INLINE_CHARACTERS = 100_000;
const parseInWorker = inWorker<[string], ReturnType<typeof parseJsonObjects>>(
  "server/judging/model-client/parse-json-objects.ts",
  "parseJsonObjects",
);

/** Returns what the only object of an answer that fits `schema` parses to, or why none does. */
async function parseAnswer<T>(
  schema: z.ZodType<T>,
  answer: string,
  queueKey: QueueKey | undefined,
): Promise<z.ZodSafeParseResult<T>> {
  const isShort = answer.length <= MAX_INLINE_CHARACTERS;
  const parsed = isShort
    ? { ok: true as const, value: parseJsonObjects(answer) }
    : await parseInWorker.for(queueKey)(answer);
  for (const objects of parsed.ok ? parsed.value : []) {
    const results = objects.map((object) => schema.safeParse(object));
    const fitting = results.filter(({ success }) => success);
    if (fitting.length === 1 && fitting[0]) return fitting[0];
    if (results.length === 1 && results[0]) return results[0];
  }
  return schema.safeParse(null);
}

/**
 * Creates a client of the configured endpoint with at most `JUDGE_CONCURRENCY` concurrent requests.
 * A form of structured output or a parameter that the endpoint rejects is not sent to that model
 * for an hour. Transient failures are retried. The outcome is `refusal` or `unusable` if the model
 * answered, but not the question.
 */
export function createModelClient(env: ModelClientEnv, options: ModelClientOptions = {}): AskModel {
  const { timeoutMs = env.JUDGE_TIMEOUT_SECONDS * 1_000, log } = options;
  const clock = { ...systemClock, ...options };
  const { options: clientOptions, host } = resolveEndpoint(env);
  const send = createSender(clientOptions, timeoutMs, clock);
  const queues = createCallQueues(env.JUDGE_CONCURRENCY);
  // The full capabilities are tried again after an hour, in case the endpoint then supports them.
  const cached = new Map<string, { capabilities: ModelCapabilities; since: number }>();
  const recall = (model: string) => {
    const entry = cached.get(model);
    return entry && clock.now() - entry.since < HOUR_MS ? entry.capabilities : undefined;
  };

  return async <T>(question: Question<T>): Promise<Answer<T>> => {
    const { model, purpose, promptHash, signal, queueKey } = question;
    const kind = `${purpose} ${model}`;
    const queue = question.queue ?? "usual";
    const schema = toStrictJsonSchema(question.schema);
    const waitToRetry = createRetryPolicy(clock, timeoutMs);
    const usages: Usage[] = [];
    let capabilities = recall(model) ?? FULL_CAPABILITIES;
    let firstStart: number | undefined;
    let tries = 0;
    let isDowngraded = false;

    const toRecord = (
      facts: Pick<CallRecord, "finishReason" | "latencyMs"> & Partial<CallRecord>,
    ): CallRecord => ({
      purpose,
      requestedModel: model,
      returnedModel: null,
      host,
      structuredOutput: capabilities.form,
      parameters: buildParameters(capabilities),
      promptHash,
      ...computeUsage(usages, env),
      tries,
      raw: "",
      ...facts,
    });

    for (;;) {
      const { start, latencyMs, failure, completion } = await queues
        .run({ queue, kind, repeatsOverdue: purpose === "review", queueKey }, (overdue) => {
          signal?.throwIfAborted();
          tries += 1;
          const either = AbortSignal.any([overdue, ...(signal ? [signal] : [])]);
          return send({ ...question, signal: either }, schema, capabilities);
        })
        .catch((error) => {
          if (signal?.aborted) throw cancelled();
          if (!(error instanceof Overdue)) throw error;
          const call = toRecord({ latencyMs: 0, finishReason: "overdue" });
          throw new NoAnswer("The judge's model takes long to answer about this text.", {
            call,
            isOverdue: true,
          });
        });
      firstStart ??= start;

      if (failure) {
        const { status } = failure;
        log?.warn(
          { host, model, kind: failure.kind, status, tries },
          "the judge's endpoint gave no answer",
        );
        const finishReason = status === null ? null : `status ${status}`;
        const call = toRecord({ latencyMs, finishReason });
        if (failure.kind === "permanent") throw new NoAnswer(failure.message, { call });
        if (failure.kind === "transient") {
          await waitToRetry(failure, firstStart, signal).catch((error: JudgeUnavailable) => {
            if (signal?.aborted) throw error;
            throw new NoAnswer(error.message, { call, retryAfterSeconds: error.retryAfterSeconds });
          });
          continue;
        }
        const adapted =
          failure.kind === "rejected-form" ? adaptToRejection(capabilities, failure.words) : null;
        if (adapted) {
          capabilities = adapted;
          continue;
        }
        return {
          outcome: failure.kind === "refusal" ? "refusal" : "unusable",
          call: toRecord({ latencyMs, finishReason: failure.reason }),
          message: `The endpoint rejects the request: ${failure.reason}.`,
        };
      }

      const choice = completion.choices[0];
      const { text, isComplete, isRefusal } = extractText(choice);
      if (completion.usage) usages.push(completion.usage);
      const call = toRecord({
        returnedModel: completion.model ?? null,
        finishReason: choice?.finish_reason ?? null,
        latencyMs,
        raw: toStorableText(text),
      });
      if (isRefusal) return { outcome: "refusal", call, message: "The model declines to answer." };
      const parsed = isComplete
        ? await parseAnswer(question.schema, text, queueKey)
        : question.schema.safeParse(null);
      if (parsed.success) {
        queues.recordLatency(kind, latencyMs);
        if (recall(model) !== capabilities) {
          cached.set(model, { capabilities, since: clock.now() });
        }
        return { outcome: "answer", value: parsed.data, call };
      }
      // No text can make an answer violate an enforced schema, so the endpoint ignored the schema. A
      // model that has kept to it violates it because of this text.
      const isSchemaIgnored =
        capabilities.form === "json_schema" &&
        recall(model)?.form !== "json_schema" &&
        isComplete &&
        violatesStructure(parsed.error);
      const weaker = isSchemaIgnored && !isDowngraded ? downgrade(capabilities) : null;
      if (!weaker) {
        return {
          outcome: "unusable",
          call,
          message: "The model's answer has not the required form.",
        };
      }
      capabilities = weaker;
      isDowngraded = true;
    }
  };
}
