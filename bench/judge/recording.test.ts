import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type AskModel, NoAnswer, type Question } from "@/server/judging/model-client/ask";
import {
  createByteGenerator,
  createCallCounter,
  createRecordedModel,
  openRecording,
} from "./recording";

const folder = mkdtempSync(join(tmpdir(), "standing-recording-"));
afterAll(() => rmSync(folder, { recursive: true }));

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

const REFUSAL = { outcome: "refusal" as const, call: CALL, message: "It declined." };

test("ignores and overwrites an incomplete last line", () => {
  const file = join(folder, "cut.jsonl");
  openRecording(file).add("a", REFUSAL);
  appendFileSync(file, '{"key":"b","an');
  const again = openRecording(file);
  expect([again.find("a"), again.find("b")]).toEqual([REFUSAL, undefined]);
  again.add("c", REFUSAL);
  expect(openRecording(file).find("c")).toEqual(REFUSAL);
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(3);
});

test("names an invalid line, and leaves the file", () => {
  const file = join(folder, "wrong.jsonl");
  openRecording(file).add("a", REFUSAL);
  appendFileSync(file, '{"key":1}\nend');
  expect(() => openRecording(file)).toThrow(`${file}, line 2: not a recorded response.`);
  expect(readFileSync(file, "utf8")).toMatch(/end$/);
});

test("records repeated questions separately, by case, and asks none of them again", async () => {
  const recording = openRecording();
  const model = countingModel();
  const askTwice = async (caseId: string) => {
    const ask = createRecordedModel(caseId, recording, model.ask);
    const answers = [await ask(question("q")), await ask(question("q"))];
    return answers.map((answered) => answered.outcome === "answer" && answered.value.n);
  };
  expect(await askTwice("c")).toEqual([1, 2]);
  expect(await askTwice("c")).toEqual([1, 2]);
  expect(await askTwice("d")).toEqual([3, 4]);
});

test("counts calls, and round trips of those in turn, also of recorded ones", async () => {
  const recording = openRecording();
  const model = countingModel();
  const judge = async () => {
    const counter = createCallCounter(createRecordedModel("c", recording, model.ask));
    await Promise.all([counter.ask(question("first")), counter.ask(question("second"))]);
    void counter.ask(question("third"));
    await counter.waitUntilIdle();
    return [counter.calls.length, counter.roundTrips];
  };
  expect(await judge()).toEqual([3, 2]);
  expect(await judge()).toEqual([3, 2]);
  expect(model.asked()).toBe(3);
});

test("does not record a failure, after which there is no verdict", async () => {
  const recording = openRecording();
  const down: AskModel = async () => {
    throw new NoAnswer("It was down.", CALL, 3);
  };
  await expect(createRecordedModel("c", recording, down)(question("q"))).rejects.toMatchObject({
    ...{ name: "JudgeUnavailable", message: "It was down.", retryAfterSeconds: 3 },
  });
  const again = createRecordedModel("c", recording, countingModel().ask);
  expect((await again(question("q"))).outcome).toBe("answer");
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
