import type { z } from "zod";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { CallRecord } from "@/server/judging/schema";

/** One question to a model, whose answer has to be JSON of `schema`. */
export interface Question<T> {
  purpose: CallRecord["purpose"];
  model: string;
  /** Static text first, so that providers' prompt caches hit. */
  messages: { role: "system" | "user"; content: string }[];
  /** SHA-256 of the messages without the texts of this case. */
  promptHash: string;
  /** Name of the wire schema: letters, digits, underscores. */
  name: string;
  schema: z.ZodType<T>;
  signal?: AbortSignal;
}

/**
 * `refusal`: the model declined this text. `unusable`: it answered, but nothing of the schema
 * (garbage, cut short). Both may be the text's doing.
 */
export type Answered<T> =
  | { outcome: "answer"; value: T; call: CallRecord }
  | { outcome: "refusal" | "unusable"; call: CallRecord };

/**
 * The endpoint failed, broke off or was too slow. Mostly that passes; but a text can be the reason,
 * as one that has the model write without end. `call` is what was tried.
 */
export class NoAnswer extends JudgeUnavailable {
  override name = "NoAnswer";

  constructor(
    message: string,
    readonly call: CallRecord,
  ) {
    super(message);
  }
}

/**
 * Asks a model. Throws `JudgeUnavailable` where the endpoint is down, slow, limits or errs, after
 * the retries that are worth it within one judgement; `NoAnswer` where the text may be why.
 */
export type AskModel = <T>(question: Question<T>) => Promise<Answered<T>>;
