import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import { toStorableText } from "@/server/judging/canonicalise";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { CallRecord } from "@/server/judging/schema";
import type { Env } from "@/server/lib/env";
import { HOUR_MS } from "@/server/lib/time";
import { type Answer, type AskModel, NoAnswer, type Question } from "./ask";
import { createCallQueues } from "./call-queues";
import { computeUsage, extractText, type Prices, type Usage } from "./completion";
import { Failure, shortenWords } from "./failure";
import {
  adaptToRejection,
  FULL_CAPABILITIES,
  type ModelCapabilities,
  violatesStructure,
} from "./model-capabilities";
import { parseJsonObjects } from "./parse-json-objects";
import { createSender, resolveEndpoint } from "./send-request";

export type ModelClientEnv = Prices &
  Pick<Env, "OPENAI_API_KEY" | "OPENAI_BASE_URL" | "JUDGE_TIMEOUT_SECONDS" | "JUDGE_CONCURRENCY">;

/** Time and randomness are injectable for tests. */
export interface ModelClientOptions {
  /** Receives failures, with the endpoint's words only if they answer a harmless question. */
  log?: { warn(facts: Record<string, string | number | null>, message: string): void };
  /** Monotonic milliseconds. */
  now?: () => number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  random?: () => number;
}

/** The share of its timeout after which a call gives way to others. */
const PATIENCE = 0.5;
const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 1_000;
/** A longer `Retry-After` is passed to the caller. */
const MAX_WAIT_SECONDS = 20;
/** More than the longest answer within the token limit. Reading more would delay other work. */
const MAX_CHARACTERS = 100_000;

/**
 * Returns what the only object of an answer that fits `schema` parses to, or why none does. A model may
 * also repeat objects from the material.
 */
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
 * for an hour. A transient failure is retried twice, within the timeout of one request.
 */
export function createModelClient(
  env: ModelClientEnv,
  {
    log,
    now = () => performance.now(),
    sleep = (ms, signal) => pause(ms, undefined, signal ? { signal } : {}),
    random = Math.random,
  }: ModelClientOptions = {},
): AskModel {
  const { options, host } = resolveEndpoint(env);
  const timeoutMs = env.JUDGE_TIMEOUT_SECONDS * 1_000;
  const send = createSender(options, timeoutMs);
  const runInQueue = createCallQueues(env.JUDGE_CONCURRENCY, timeoutMs * PATIENCE);
  // The full capabilities are tried again after an hour, in case the endpoint then supports them.
  const cached = new Map<string, { capabilities: ModelCapabilities; since: number }>();
  const recall = (model: string) => {
    const entry = cached.get(model);
    return entry && now() - entry.since < HOUR_MS ? entry.capabilities : undefined;
  };
  /** What was last tried of models that reject each form of a harmless question: enough to ask again. */
  const rejecting = new Map<string, ModelCapabilities>();

  const ask = async <T>(question: Question<T>): Promise<Answer<T>> => {
    const { model, purpose, promptHash, signal, queueKey, isHarmless } = question;
    let { queue = "usual" } = question;
    const usages: Usage[] = [];
    const rejected = isHarmless ? rejecting.get(model) : undefined;
    let capabilities = rejected ?? recall(model) ?? FULL_CAPABILITIES;
    let deadline = Number.POSITIVE_INFINITY;
    let [tries, retries, latencyMs] = [0, 0, 0];

    const toRecord = (facts: Partial<CallRecord>): CallRecord => ({
      ...{ purpose, requestedModel: model, returnedModel: null, host, promptHash },
      ...{ structuredOutput: capabilities.form, parameters: capabilities.parameters },
      ...{ ...computeUsage(usages, env), latencyMs, tries, finishReason: null, raw: "" },
      ...facts,
    });
    /** Returns a sentence, with the endpoint's words if no party's text can be among them. */
    const describe = ({ message, status, words }: Failure): string => {
      const base = status === null ? message : `${message} with ${status}`;
      if (!isHarmless) return `${base}.`;
      const said = shortenWords(words, env.OPENAI_API_KEY);
      return `${base.replace("the request", "every request")}${said && `: ${said}`}.`;
    };

    for (;;) {
      const sent = await runInQueue(queue, queueKey, async (overdue) => {
        signal?.throwIfAborted();
        tries += 1;
        const start = now();
        deadline = Math.min(deadline, start + timeoutMs);
        const either = signal ? AbortSignal.any([overdue, signal]) : overdue;
        const sent = await send(question, capabilities, either);
        latencyMs = Math.round(now() - start);
        return sent;
      });

      if (sent === null) {
        if (purpose !== "review") {
          const message = "The judge's model takes long to answer about this text.";
          throw new NoAnswer(message, toRecord({ finishReason: "overdue" }), undefined, true);
        }
        queue = "slow";
        continue;
      }

      if (sent instanceof Failure) {
        const { kind, status, words, waitSeconds } = sent;
        const message = describe(sent);
        log?.warn({ host, model, kind, status, tries }, message);
        const call = toRecord({ finishReason: status === null ? null : `status ${status}` });
        if (kind === "permanent") throw new NoAnswer(message, call);
        if (kind === "transient") {
          const backoffMs = FIRST_PAUSE_MS * 2 ** retries * (0.5 + random() / 2);
          const pauseMs = backoffMs + (waitSeconds ?? 0) * 1_000;
          const isLate = now() + pauseMs >= deadline;
          if (retries === MAX_RETRIES || (waitSeconds ?? 0) > MAX_WAIT_SECONDS || isLate) {
            throw new NoAnswer(message, call, waitSeconds);
          }
          retries += 1;
          await sleep(pauseMs, signal);
          continue;
        }
        const adapted = kind === "rejected-form" && adaptToRejection(capabilities, words);
        if (!adapted) {
          if (kind === "rejected-form" && isHarmless) rejecting.set(model, capabilities);
          return { outcome: kind === "refusal" ? "refusal" : "unusable", call, message };
        }
        capabilities = adapted;
        continue;
      }

      rejecting.delete(model);
      const [choice] = sent.choices;
      const { text, isComplete, isRefusal } = extractText(choice);
      if (sent.usage) usages.push(sent.usage);
      const call = toRecord({
        returnedModel: sent.model ?? null,
        finishReason: choice?.finish_reason ?? null,
        raw: toStorableText(text),
      });
      if (isRefusal) return { outcome: "refusal", call, message: "The model declines to answer." };
      const parsed = parseAnswer(question.schema, isComplete ? text : "");
      const known = recall(model);
      if (parsed.success) {
        if (!rejected && known !== capabilities) cached.set(model, { capabilities, since: now() });
        return { outcome: "answer", value: parsed.data, call };
      }
      // No text can make an answer violate an enforced schema, so the endpoint ignored the schema. A
      // model that has kept to it violates it because of this text.
      const isUnproven = capabilities.form === "json_schema" && known?.form !== "json_schema";
      if (!isUnproven || !isComplete || !violatesStructure(parsed.error)) {
        const message = "The model's answer does not have the required form.";
        return { outcome: "unusable", call, message };
      }
      capabilities = { ...capabilities, form: "json_object" };
    }
  };

  return (question) =>
    ask(question).catch((error) => {
      throw question.signal?.aborted ? new JudgeUnavailable("The judgement was cancelled.") : error;
    });
}
