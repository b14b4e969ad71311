import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { AskModel, Question } from "@/server/judging/model-client/ask";
import {
  createByteGenerator,
  createRecording,
  createRecordingClient,
  openRecording,
  type RecordedLine,
  readRecording,
} from "./recording";

const folder = mkdtempSync(join(tmpdir(), "standing-recording-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADER = {
  recording: "judge-answers/v1" as const,
  model: "m",
  escalationModel: "m",
  seed: "s",
};
const line = (key: string): RecordedLine => ({
  key,
  case: "c",
  said: { outcome: "unavailable", message: "It was down.", retryAfterSeconds: 3 },
});
const question = (text: string): Question<{ n: number }> => ({
  purpose: "examination",
  model: "m",
  messages: [
    { role: "system", content: "" },
    { role: "user", content: text },
  ],
  promptHash: "0x",
  name: "examination",
  schema: z.strictObject({ n: z.number() }),
});

/** Returns a counter as its response. */
function countingModel() {
  let n = 0;
  const ask = (async (asked) => {
    n += 1;
    const value = asked.schema.parse({ n });
    return { outcome: "answer", value, call: CALL };
  }) as AskModel;
  return { ask, asked: () => n };
}

const CALL = {
  purpose: "examination" as const,
  requestedModel: "m",
  returnedModel: null,
  host: "h",
  structuredOutput: "json_schema" as const,
  parameters: {},
  promptHash: "0x",
  finishReason: "stop",
  tokens: null,
  latencyMs: 10,
  costUsd: null,
  tries: 1,
  raw: "",
};

test("ignores and overwrites an incomplete last line", () => {
  const file = join(folder, "cut.jsonl");
  openRecording(file, HEADER).add(line("a"));
  appendFileSync(file, '{"key":"b","ca');
  const again = openRecording(file, HEADER);
  expect([again.find("a"), again.find("b")]).toEqual([line("a"), undefined]);
  again.add(line("c"));
  expect(readRecording(file).find("c")).toEqual(line("c"));
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(4);
});

test("names an invalid line", () => {
  const file = join(folder, "wrong.jsonl");
  openRecording(file, HEADER).add(line("a"));
  appendFileSync(file, '{"key":1}\n');
  expect(() => readRecording(file)).toThrow(`${file}, line 3: not a recorded response.`);
});

test("finds the latest response to a question", () => {
  const recording = createRecording(HEADER);
  recording.add(line("a"));
  recording.add({ ...line("a"), case: "latest" });
  expect(recording.find("a")?.case).toBe("latest");
});

test("records repeated questions separately and shares them with a second client", async () => {
  const recording = createRecording(HEADER);
  const model = countingModel();
  const first = createRecordingClient("c", recording, model.ask);
  const second = createRecordingClient("c", recording, model.ask);
  const values = async (client: typeof first) => {
    const answers = [await client.ask(question("q")), await client.ask(question("q"))];
    return answers.map((answered) => answered.outcome === "answer" && answered.value.n);
  };
  expect(await values(first)).toEqual([1, 2]);
  expect(await values(second)).toEqual([1, 2]);
  expect(model.asked()).toBe(2);
});

test("does not share questions between cases", async () => {
  const recording = createRecording(HEADER);
  const model = countingModel();
  await createRecordingClient("c", recording, model.ask).ask(question("q"));
  await createRecordingClient("d", recording, model.ask).ask(question("q"));
  expect(model.asked()).toBe(2);
});

test("counts calls, and round trips of those in turn, and replays the same", async () => {
  const recording = createRecording(HEADER);
  const judge = async (model: AskModel | null) => {
    const client = createRecordingClient("c", recording, model);
    await Promise.all([client.ask(question("first")), client.ask(question("second"))]);
    await client.ask(question("third"));
    await client.waitUntilIdle();
    return [client.calls.length, client.roundTrips];
  };
  expect(await judge(countingModel().ask)).toEqual([3, 2]);
  expect(await judge(null)).toEqual([3, 2]);
});

test("calls a failed endpoint again, and replays its failure without a model", async () => {
  const recording = createRecording(HEADER);
  const down: AskModel = async () => {
    throw new JudgeUnavailable("It was down.", 3);
  };
  const unavailable = { name: "JudgeUnavailable", message: "It was down.", retryAfterSeconds: 3 };
  await expect(
    createRecordingClient("c", recording, down).ask(question("q")),
  ).rejects.toMatchObject(unavailable);
  await expect(
    createRecordingClient("c", recording, null).ask(question("q")),
  ).rejects.toMatchObject(unavailable);
  const answered = await createRecordingClient("c", recording, countingModel().ask).ask(
    question("q"),
  );
  expect(answered.outcome).toBe("answer");
});

test("does not record a call aborted by Ctrl-C", async () => {
  const added: RecordedLine[] = [];
  const recording = createRecording(HEADER, [], (one) => added.push(one));
  const stop = new AbortController();
  const broken: AskModel = async () => {
    stop.abort();
    throw new JudgeUnavailable("The judgement was cancelled.");
  };
  await expect(
    createRecordingClient("c", recording, broken, stop.signal).ask(question("q")),
  ).rejects.toThrow();
  expect(added).toEqual([]);
});

test("reports a missing response even if the judge swallows the error", async () => {
  const client = createRecordingClient("c", createRecording(HEADER), null);
  await client.ask(question("q")).catch(() => "swallowed");
  await expect(client.waitUntilIdle()).rejects.toThrow(
    /^The recording lacks a response that case c needs/,
  );
});

describe("seeded bytes", () => {
  test("are the same on every machine", () => {
    expect(createByteGenerator("standing")(8).toString("hex")).toBe("3c7432e216fb8a0f");
  });

  test("are one stream, however many are taken at once", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat(80), { maxLength: 8 }), (seed, takes) => {
        const piecewise = createByteGenerator(seed);
        const pieces = Buffer.concat(takes.map((count) => piecewise(count)));
        expect(pieces).toEqual(createByteGenerator(seed)(pieces.length));
      }),
    );
  });
});
