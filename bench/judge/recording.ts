import { createHash } from "node:crypto";
import { appendFileSync, existsSync, truncateSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { hashJson } from "@/server/judging/evidence";
import { JudgeUnavailable } from "@/server/judging/judge";
import {
  type Answer,
  type AskModel,
  NoAnswer,
  type Question,
} from "@/server/judging/model-client/ask";
import { type CallRecord, callRecordSchema } from "@/server/judging/schema";
import { readText } from "./labelled-set";

const call = callRecordSchema.extend({ raw: z.string() });
const lineSchema = z.strictObject({
  key: z.string(),
  answer: z.discriminatedUnion("outcome", [
    z.strictObject({ outcome: z.literal("answer"), value: z.unknown(), call }),
    z.strictObject({ outcome: z.enum(["refusal", "unusable"]), call, message: z.string() }),
  ]),
});

/** Models' responses by the hash of their question. */
export type Recording = ReturnType<typeof openRecording>;

/**
 * Opens a recording that appends each response to `file`, after those of earlier runs, even one that was
 * interrupted in the middle of a line; without a file, it lasts as long as the process. Throws a
 * `CommandError` that says what is wrong with the file.
 */
export function openRecording(file?: string) {
  const answers = new Map<string, Answer<unknown>>();
  for (const { key, answer } of file === undefined ? [] : readLines(file)) answers.set(key, answer);
  return {
    find: (key: string) => answers.get(key),
    add(key: string, answer: Answer<unknown>) {
      answers.set(key, answer);
      if (file !== undefined) appendFileSync(file, `${JSON.stringify({ key, answer })}\n`);
    },
  };
}

/** Reads the complete lines of a recording, and removes an incomplete one. Creates a missing file. */
function readLines(file: string) {
  if (!existsSync(file)) {
    createFile(file);
    return [];
  }
  const text = readText(file);
  const complete = text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = complete.split("\n").slice(0, -1);
  const parsed = lines.map((line, index) => parseLine(line, `${file}, line ${index + 1}`));
  truncateSync(file, Buffer.byteLength(complete));
  return parsed;
}

function parseLine(line: string, where: string) {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch {
    throw new CommandError(`${where}: not a recorded response.`);
  }
}

function createFile(file: string): void {
  try {
    writeFileSync(file, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    throw new CommandError(`Cannot write ${file} (${code}).`);
  }
}

/**
 * Returns a model for one attempt at a case that asks `model` only what the recording lacks, and records its
 * responses. Throws a plain `JudgeUnavailable` without a response: the bench then gives no verdict.
 */
export function createRecordedModel(
  caseId: string,
  recording: Recording,
  model: AskModel,
): AskModel {
  const timesAsked = new Map<string, number>();
  return async <T>(question: Question<T>): Promise<Answer<T>> => {
    const first = hashQuestion(caseId, question, 0);
    const nth = timesAsked.get(first) ?? 0;
    timesAsked.set(first, nth + 1);
    const key = nth === 0 ? first : hashQuestion(caseId, question, nth);
    const known = recording.find(key);
    if (known) {
      // Calls that were concurrent start before the first of them is answered.
      await nextTurn();
      return known.outcome === "answer"
        ? { ...known, value: question.schema.parse(known.value) }
        : known;
    }
    const answered = await model(question).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
      throw new JudgeUnavailable(error.message, error.retryAfterSeconds);
    });
    recording.add(key, answered);
    return answered;
  };
}

/** Hashes a question, its case, and its repetition count within one judgement. */
function hashQuestion(caseId: string, question: Question<unknown>, nth: number): string {
  const { purpose, model, messages, name } = question;
  return hashJson({ caseId, purpose, model, messages, name, nth });
}

/** Sits between a judge and its model for one attempt and counts its calls. */
export type CallCounter = ReturnType<typeof createCallCounter>;

export function createCallCounter(model: AskModel) {
  const calls: CallRecord[] = [];
  const pending = new Set<Promise<unknown>>();
  let roundTrips = 0;

  async function askAndCount<T>(question: Question<T>): Promise<Answer<T>> {
    const round = roundTrips + 1;
    const answered = await model(question);
    calls.push(answered.call);
    roundTrips = Math.max(roundTrips, round);
    return answered;
  }

  return {
    ask: ((question) => {
      const answering = askAndCount(question);
      pending.add(answering);
      return answering.finally(() => pending.delete(answering));
    }) as AskModel,
    /** Every call with a response so far. */
    calls,
    /** Length of the longest chain of calls that waited for each other. */
    get roundTrips() {
      return roundTrips;
    },
    /** Resolves when no call is pending. */
    async waitUntilIdle() {
      // A response may lead to another call, so wait one more turn after the last one.
      do {
        await Promise.allSettled(pending);
        await nextTurn();
      } while (pending.size > 0);
    },
  };
}

/**
 * Returns a generator of random bytes, deterministic per seed on every machine: SHA-256 over seed
 * and a counter. Predictable by design, so only for measurements, never for real judgements.
 */
export function createByteGenerator(seed: string): (count: number) => Buffer {
  let block = Buffer.alloc(0);
  let counter = 0;
  return (count) => {
    while (block.length < count) {
      const next = createHash("sha256").update(`${seed}\n${counter++}`).digest();
      block = Buffer.concat([block, next]);
    }
    const taken = Buffer.from(block.subarray(0, count));
    block = block.subarray(count);
    return taken;
  };
}
