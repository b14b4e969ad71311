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
 * `refusal`: the model declined this text. `unusable`: its answer does not match the schema
 * (garbage, truncated), or the endpoint rejects the request. The text may have caused either. `message`
 * says which, with the endpoint's own words, which may repeat the question.
 */
export type Answer<T> =
  | { outcome: "answer"; value: T; call: CallRecord }
  | { outcome: "refusal" | "unusable"; call: CallRecord; message: string };

/**
 * Thrown if no answer arrived: the endpoint failed, disconnected, was too slow, or returned
 * something else. Any of these can be the text's doing, for example by making the model write
 * endlessly, so the caller decides whether the model answers other texts. `call` records the
 * attempt.
 */
export class NoAnswer extends JudgeUnavailable {
  override name = "NoAnswer";
  readonly call: CallRecord;
  /** Whether the call was ended because others waited; it can be repeated in the slow queue. */
  readonly isOverdue: boolean;

  constructor(
    message: string,
    {
      call,
      retryAfterSeconds,
      isOverdue = false,
    }: {
      call: CallRecord;
      retryAfterSeconds?: number | undefined;
      isOverdue?: boolean;
    },
  ) {
    super(message, retryAfterSeconds);
    this.call = call;
    this.isOverdue = isOverdue;
  }

  /** Whether the endpoint limits the rate of requests, which says nothing about the text. */
  get isRateLimited(): boolean {
    return this.retryAfterSeconds !== undefined || this.call.finishReason === "status 429";
  }
}

/** Asks a model. Throws `NoAnswer`, or `JudgeUnavailable` if the question is aborted. */
export type AskModel = <T>(question: Question<T>) => Promise<Answer<T>>;
