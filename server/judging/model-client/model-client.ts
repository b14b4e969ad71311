import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import { toStorableText } from "@/server/judging/canonicalise";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { CallRecord } from "@/server/judging/schema";
import type { Env } from "@/server/lib/env";
import { HOUR_MS } from "@/server/lib/time";
import { type Answer, type AskModel, NoAnswer, type Question } from "./ask";
import { createCallQueues, Overdue } from "./call-queues";
import { computeUsage, extractText, type Prices, type Usage } from "./completion";
import { type Failure, shortenWords } from "./failure";
import {
  adaptToRejection,
  buildParameters,
  FULL_CAPABILITIES,
  type ModelCapabilities,
  toStrictJsonSchema,
  violatesStructure,
} from "./model-capabilities";
import { parseJsonObjects } from "./parse-json-objects";
import { createSender, resolveEndpoint } from "./send-request";

export type ModelClientEnv = Parameters<typeof resolveEndpoint>[0] &
  Prices &
  Pick<Env, "JUDGE_TIMEOUT_SECONDS" | "JUDGE_CONCURRENCY">;

/** Time and randomness are injectable for tests. */
export interface ModelClientOptions {
  /** Timeout per request; overrides the configured seconds. */
  timeoutMs?: number;
  /** Receives failures, with the endpoint's words only if they answer a harmless question. */
  log?: { warn(facts: Record<string, string | number | null>, message: string): void };
  /** Monotonic milliseconds. */
  now?: () => number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  random?: () => number;
}

const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 1_000;
/** A longer `Retry-After` is passed to the caller. */
const MAX_WAIT_SECONDS = 20;
/** More than the longest answer within the token limit. Reading more would delay other work. */
const MAX_CHARACTERS = 100_000;

/** Returns what the only object of an answer that fits `schema` parses to, or why none does. */
function parseAnswer<T>(schema: z.ZodType<T>, answer: string): z.ZodSafeParseResult<T> {
  for (const objects of answer.length <= MAX_CHARACTERS ? parseJsonObjects(answer) : []) {
    const results = objects.map((object) => schema.safeParse(object));
    const fitting = results.filter(({ success }) => success);
    const [only, ...others] = fitting.length > 0 ? fitting : results;
    if (only && others.length === 0) return only;
  }
  return schema.safeParse(null);
}

/**
 * Creates a client of the configured endpoint with at most `JUDGE_CONCURRENCY` concurrent requests.
 * A form of structured output or a parameter that the endpoint rejects is not sent to that model
 * for an hour. A transient failure is retried twice, no later than `timeoutMs` after the first request.
 */
export function createModelClient(
  env: ModelClientEnv,
  {
    timeoutMs = env.JUDGE_TIMEOUT_SECONDS * 1_000,
    log,
    now = () => performance.now(),
    sleep = (ms, signal) => pause(ms, undefined, signal ? { signal } : {}),
    random = Math.random,
  }: ModelClientOptions = {},
): AskModel {
  const { options, host } = resolveEndpoint(env);
  const send = createSender(options, timeoutMs);
  const queues = createCallQueues(env.JUDGE_CONCURRENCY);
  // The full capabilities are tried again after an hour, in case the endpoint then supports them.
  const cached = new Map<string, { capabilities: ModelCapabilities; since: number }>();
  const recall = (model: string) => {
    const entry = cached.get(model);
    return entry && now() - entry.since < HOUR_MS ? entry.capabilities : undefined;
  };
  /** What was last tried of models that reject each form of a harmless question: enough to ask again. */
  const rejecting = new Map<string, ModelCapabilities>();

  return async <T>(question: Question<T>): Promise<Answer<T>> => {
    const { model, purpose, promptHash, signal, queueKey, queue = "usual", isHarmless } = question;
    const kind = `${purpose} ${model}`;
    const schema = toStrictJsonSchema(question.schema);
    const usages: Usage[] = [];
    const rejected = isHarmless ? rejecting.get(model) : undefined;
    let capabilities = rejected ?? recall(model) ?? FULL_CAPABILITIES;
    let firstStart: number | undefined;
    let [tries, retries, latencyMs, isDowngraded] = [0, 0, 0, false];

    const toRecord = (facts: Partial<CallRecord>): CallRecord => ({
      ...{ purpose, requestedModel: model, returnedModel: null, host, promptHash },
      ...{ structuredOutput: capabilities.form, parameters: buildParameters(capabilities) },
      ...{ ...computeUsage(usages, env), latencyMs, tries, finishReason: null, raw: "" },
      ...facts,
    });
    const cancel = (): never => {
      throw new JudgeUnavailable("The judgement was cancelled.");
    };
    /** Returns a sentence, with the endpoint's words if no party's text can be among them. */
    const describe = ({ message, status, words }: Failure): string => {
      const base = status === null ? message : `${message} with ${status}`;
      const said = isHarmless ? shortenWords(words, env.OPENAI_API_KEY) : "";
      const text = isHarmless ? base.replace("the request", "every request") : base;
      return `${text}${said && `: ${said}`}.`;
    };

    for (;;) {
      const { failure, completion } = await queues
        .run({ queue, kind, repeatsOverdue: purpose === "review", queueKey }, async (overdue) => {
          signal?.throwIfAborted();
          tries += 1;
          const start = now();
          firstStart ??= start;
          const either = AbortSignal.any([overdue, ...(signal ? [signal] : [])]);
          const sent = await send({ ...question, signal: either }, schema, capabilities);
          latencyMs = Math.round(now() - start);
          return sent;
        })
        .catch((error) => {
          if (signal?.aborted) return cancel();
          if (!(error instanceof Overdue)) throw error;
          const message = "The judge's model takes long to answer about this text.";
          throw new NoAnswer(message, toRecord({ finishReason: "overdue" }), undefined, true);
        });

      if (failure) {
        const { status, waitSeconds } = failure;
        const message = describe(failure);
        log?.warn({ host, model, kind: failure.kind, status, tries }, message);
        const call = toRecord({ finishReason: status === null ? null : `status ${status}` });
        if (failure.kind === "permanent") throw new NoAnswer(message, call);
        if (failure.kind === "transient") {
          const backoffMs = FIRST_PAUSE_MS * 2 ** retries * (0.5 + random() / 2);
          const pauseMs = backoffMs + (waitSeconds ?? 0) * 1_000;
          const isLate = now() + pauseMs >= (firstStart ?? 0) + timeoutMs;
          if (retries === MAX_RETRIES || (waitSeconds ?? 0) > MAX_WAIT_SECONDS || isLate) {
            throw new NoAnswer(message, call, waitSeconds);
          }
          retries += 1;
          await sleep(pauseMs, signal).catch(cancel);
          continue;
        }
        const isRejected = failure.kind === "rejected-form";
        const adapted = isRejected && adaptToRejection(capabilities, failure.words);
        if (!adapted) {
          if (isRejected && isHarmless) rejecting.set(model, capabilities);
          return { outcome: failure.kind === "refusal" ? "refusal" : "unusable", call, message };
        }
        capabilities = adapted;
        continue;
      }

      rejecting.delete(model);
      const choice = completion.choices[0];
      const { text, isComplete, isRefusal } = extractText(choice);
      if (completion.usage) usages.push(completion.usage);
      const call = toRecord({
        returnedModel: completion.model ?? null,
        finishReason: choice?.finish_reason ?? null,
        raw: toStorableText(text),
      });
      if (isRefusal) return { outcome: "refusal", call, message: "The model declines to answer." };
      const parsed = parseAnswer(question.schema, isComplete ? text : "");
      if (parsed.success) {
        queues.recordLatency(kind, latencyMs);
        const isNew = !rejected && recall(model) !== capabilities;
        if (isNew) cached.set(model, { capabilities, since: now() });
        return { outcome: "answer", value: parsed.data, call };
      }
      // No text can make an answer violate an enforced schema, so the endpoint ignored the schema. A
      // model that has kept to it violates it because of this text.
      const isSchemaIgnored =
        capabilities.form === "json_schema" &&
        recall(model)?.form !== "json_schema" &&
        isComplete &&
        violatesStructure(parsed.error);
      if (!isSchemaIgnored || isDowngraded) {
        const message = "The model's answer does not have the required form.";
        return { outcome: "unusable", call, message };
      }
      capabilities = { ...capabilities, form: "json_object" };
      isDowngraded = true;
    }
  };
}
