import type { z } from "zod";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { CallRecord } from "@/server/judging/schema";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import type { QueueName } from "./call-queues";

/** One question to a model, to be answered with JSON that matches `schema`. */
export interface Question<T> {
  purpose: CallRecord["purpose"];
  model: string;
  /** Static text comes first, so that providers' prompt caches hit. */
  messages: [{ role: "system"; content: string }, { role: "user"; content: string }];
  /** SHA-256 of the messages without the texts of this case. */
  promptHash: string;
  /** Whether all texts are the service's own: only then the endpoint's words are reported. */
  isHarmless?: boolean;
  /** Name of the schema: letters, digits, underscores. */
  name: string;
  schema: z.ZodType<T>;
  /** `usual` by default. An overdue review never fails: its parties paid for it. */
  queue?: QueueName | undefined;
  signal?: AbortSignal | undefined;
  /** Calls that wait alternate between submitters. */
  queueKey?: QueueKey | undefined;
}

/**
 * `refusal`: the model or the endpoint's filter declined this text. `unusable`: the answer does not match
 * the schema (garbage, truncated), or the endpoint rejects the request. The text may have caused either.
 * `message`: a plain English sentence.
 */
export type Answer<T> =
  | { outcome: "answer"; value: T; call: CallRecord }
  | { outcome: "refusal" | "unusable"; call: CallRecord; message: string };

/**
 * Thrown if no answer arrived: the endpoint failed, disconnected, was too slow, or returned something
 * else. Any of these can be the text's doing, so the caller decides whether the model answers other texts.
 */
export class NoAnswer extends JudgeUnavailable {
  override name = "NoAnswer";
  /** `isOverdue`: the call was ended because others waited; it can be repeated in the slow queue. */
  constructor(
    message: string,
    readonly call: CallRecord,
    retryAfterSeconds?: number,
    readonly isOverdue = false,
  ) {
    super(message, retryAfterSeconds);
  }
}

/** Asks a model. Throws `NoAnswer`, or `JudgeUnavailable` if the question is aborted. */
export type AskModel = <T>(question: Question<T>) => Promise<Answer<T>>;
