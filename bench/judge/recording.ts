import { createHash } from "node:crypto";
import { appendFileSync, existsSync, truncateSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { hashJson } from "@/server/judging/evidence";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { Answer, AskModel, Question } from "@/server/judging/model-client/ask";
import { type CallRecord, callRecordSchema } from "@/server/judging/schema";
import { readText } from "./labelled-set";

const headerSchema = z.strictObject({
  recording: z.literal("judge-answers/v1"),
  model: z.string(),
  /** Model of the second examination and of a third one. */
  escalationModel: z.string(),
  /** Seed of the marks around texts. */
  seed: z.string(),
});
export type RecordingHeader = z.infer<typeof headerSchema>;

const call = callRecordSchema.extend({ raw: z.string() });
const lineSchema = z.strictObject({
  key: z.string(),
  case: z.string(),
  said: z.discriminatedUnion("outcome", [
    z.strictObject({ outcome: z.literal("answer"), value: z.unknown(), call }),
    z.strictObject({ outcome: z.literal("refusal"), call, message: z.string() }),
    z.strictObject({ outcome: z.literal("unusable"), call, message: z.string() }),
    /** The endpoint did not respond. Asked again if an endpoint is available. */
    z.strictObject({
      outcome: z.literal("unavailable"),
      message: z.string(),
      retryAfterSeconds: z.number().optional(),
    }),
  ]),
});
export type RecordedLine = z.infer<typeof lineSchema>;

/** All responses of a run, by the hash of the question; the latest one counts. */
export type Recording = ReturnType<typeof createRecording>;

/** Hashes a question, its case, and its repetition count within one judgement. */
function hashQuestion(caseId: string, question: Question<unknown>, nth: number): string {
  const { purpose, model, messages, name } = question;
  return hashJson({ caseId, purpose, model, messages, name, nth });
}

/** Reads a recording for a replay. Throws a `CommandError` that says what is wrong with the file. */
export function readRecording(file: string): Recording {
  const { header, lines } = parseRecording(file);
  return createRecording(header, lines);
}

/**
 * Opens a recording that appends each response to `file`, and continues an earlier run of the same
 * judge that was interrupted, even in the middle of a line. Throws a `CommandError` if the file
 * belongs to another judge or seed.
 */
export function openRecording(file: string, header: RecordingHeader): Recording {
  const append = (line: unknown) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (!existsSync(file)) {
    createFile(file, header);
    return createRecording(header, [], append);
  }
  const { header: before, lines, whole } = parseRecording(file);
  for (const member of ["model", "escalationModel", "seed"] as const) {
    if (before[member] === header[member]) continue;
    throw new CommandError(
      `${file} was recorded with the ${member} ${before[member]}, not ${header[member]}: name another file.`,
    );
  }
  truncateSync(file, whole);
  return createRecording(header, lines, append);
}

function createFile(file: string, header: RecordingHeader): void {
  try {
    writeFileSync(file, `${JSON.stringify(header)}\n`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    throw new CommandError(`Cannot write ${file} (${code}).`);
  }
}

/** Returns a recording of `lines` that passes each further one to `append`. */
export function createRecording(
  header: RecordingHeader,
  lines: RecordedLine[] = [],
  append: (line: RecordedLine) => void = () => {},
) {
  const byKey = new Map(lines.map((line) => [line.key, line]));
  return {
    header,
    find: (key: string) => byKey.get(key),
    add(line: RecordedLine) {
      byKey.set(line.key, line);
      append(line);
    },
  };
}

/**
 * Parses a recording. `whole` is the byte length up to the last complete line; a truncated rest is
 * ignored.
 */
function parseRecording(file: string) {
  const text = readText(file);
  const kept = text.slice(0, text.lastIndexOf("\n") + 1);
  const [first = "", ...rest] = kept.split("\n").slice(0, -1);
  const header = parseJsonLine(
    headerSchema,
    first,
    `${file} is not a recording of a judge's responses`,
  );
  const lines = rest.map((line, index) =>
    parseJsonLine(lineSchema, line, `${file}, line ${index + 2}: not a recorded response`),
  );
  return { header, lines, whole: Buffer.byteLength(kept) };
}

function parseJsonLine<T>(schema: z.ZodType<T>, line: string, complaint: string): T {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw new CommandError(`${complaint}.`);
  }
}

/** Sits between a judge and its model for one attempt and records all calls. */
export type RecordingClient = ReturnType<typeof createRecordingClient>;

/**
 * Replays recorded responses; asks `model` for the rest and records what it returns. Without a
 * model, a missing response ends the run. Failures are recorded too, also if the judge cancelled
 * the call, but not if `stop` aborted it.
 */
export function createRecordingClient(
  caseId: string,
  recording: Recording,
  model: AskModel | null,
  stop?: AbortSignal,
) {
  const calls: CallRecord[] = [];
  const pending = new Set<Promise<unknown>>();
  const timesAsked = new Map<string, number>();
  let roundTrips = 0;
  let missing: CommandError | null = null;

  async function answer<T>(question: Question<T>): Promise<Answer<T>> {
    const firstKey = hashQuestion(caseId, question, 0);
    const nth = timesAsked.get(firstKey) ?? 0;
    timesAsked.set(firstKey, nth + 1);
    const key = nth === 0 ? firstKey : hashQuestion(caseId, question, nth);
    const known = recording.find(key);
    const round = roundTrips + 1;
    const count = (answered: Answer<T>) => {
      calls.push(answered.call);
      roundTrips = Math.max(roundTrips, round);
      return answered;
    };
    if (known && known.said.outcome !== "unavailable") {
      const { said } = known;
      // Calls that were concurrent start before the first of them is answered.
      await nextTurn();
      // Throws if it does not match the question's schema.
      return count(
        said.outcome === "answer" ? { ...said, value: question.schema.parse(said.value) } : said,
      );
    }
    if (!model) {
      if (known?.said.outcome === "unavailable") {
        throw new JudgeUnavailable(known.said.message, known.said.retryAfterSeconds);
      }
      missing ??= new CommandError(
        `The recording lacks a response that case ${caseId} needs: it is of another set or other prompts, or incomplete.`,
      );
      throw missing;
    }
    const keep = (said: RecordedLine["said"]) => recording.add({ key, case: caseId, said });
    try {
      const answered = await model(question);
      keep(answered);
      return count(answered);
    } catch (error) {
      if (!(error instanceof JudgeUnavailable) || stop?.aborted) throw error;
      const { message, retryAfterSeconds } = error;
      keep({ outcome: "unavailable", message, retryAfterSeconds });
      // The same error as in a replay, since the bench gives no verdict without a response.
      throw new JudgeUnavailable(message, retryAfterSeconds);
    }
  }

  return {
    ask: ((question) => {
      const answering = answer(question);
      pending.add(answering);
      return answering.finally(() => pending.delete(answering));
    }) as AskModel,
    /** Every call with a response so far. */
    calls,
    /** Length of the longest chain of calls that waited for each other. */
    get roundTrips() {
      return roundTrips;
    },
    /** Resolves when no call is pending. Throws if a replay lacked a response. */
    async waitUntilIdle() {
      // A response may lead to another call, so wait one more turn after the last one.
      do {
        await Promise.allSettled(pending);
        await nextTurn();
      } while (pending.size > 0);
      if (missing) throw missing;
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
