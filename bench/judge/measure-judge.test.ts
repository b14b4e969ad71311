import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type Judge, type JudgeInput, JudgeUnavailable } from "@/server/judging/judge";
import type { LabelledCase } from "./labelled-set";
import { type Candidate, countProgress, judgeCase, MAX_ATTEMPTS } from "./measure-judge";

const CASE: LabelledCase = {
  id: "a",
  category: "ops",
  task: "Restart the server.",
  deliverable: "The server was restarted at noon.",
  label: "SUCCESS",
};

/** Returns a judge that is unavailable `failures` times, then passes everything. */
function failingTimes(failures: number) {
  const seen: { input: JudgeInput; lastAttempt: boolean | undefined; attempt: number }[] = [];
  const candidate: Candidate = {
    kind: "heuristic",
    id: "test",
    version: "test",
    models: [],
    calibration: null,
    open: (_case, attempt) => ({ judge: judgeAt(attempt), counter: null }),
  };
  const judgeAt = (attempt: number): Judge => ({
    kind: "heuristic",
    setup: "built-in",
    id: "test",
    version: "test",
    models: [],
    endpoint: "",
    probe: async () => {},
    review: () => Promise.reject(new Error("benchmarks have no disputes")),
    judge: async (input, options) => {
      seen.push({ input, attempt, lastAttempt: options?.lastAttempt });
      if (seen.length <= failures) throw new JudgeUnavailable("It was down.", 5);
      return {
        judge: { kind: "heuristic", id: "test" },
        verdict: "SUCCESS",
        confidencePpm: 700_000,
        reasoning: "",
        detail: { version: "test", findings: [], hashes: {} },
      };
    },
  });
  return { candidate, seen };
}

const waits: number[] = [];
const options = { pause: async (ms: number) => void waits.push(ms) };

test("retries an unavailable judge and marks the last attempt", async () => {
  waits.length = 0;
  const { candidate, seen } = failingTimes(MAX_ATTEMPTS - 1);
  const measured = await judgeCase(candidate, CASE, options);
  expect(measured).toMatchObject({ verdict: "SUCCESS", confidence: 0.7, label: "SUCCESS" });
  expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(seen.map(({ lastAttempt }) => lastAttempt)).toEqual([false, false, true]);
  expect(waits).toEqual([5_000, 5_000]);
});

test("returns no verdict, with the reason, if the judge stays unavailable", async () => {
  const { candidate, seen } = failingTimes(MAX_ATTEMPTS);
  const measured = await judgeCase(candidate, CASE, options);
  expect(measured).toMatchObject({ verdict: null, judgement: null, unavailable: "It was down." });
  expect(seen).toHaveLength(MAX_ATTEMPTS);
});

test("throws errors other than unavailability", async () => {
  const { candidate } = failingTimes(0);
  const broken = () => {
    throw new RangeError("a bug");
  };
  await expect(judgeCase({ ...candidate, open: broken }, CASE, options)).rejects.toThrow("a bug");
});

test("passes only task, category and deliverable to the judge", async () => {
  const { candidate, seen } = failingTimes(0);
  const secret = { defect: "wrong", technique: "secret", reason: "It is wrong." };
  await judgeCase(candidate, { ...CASE, ...secret }, options);
  expect(seen[0]?.input).toEqual({
    task: CASE.task,
    category: "ops",
    deliverable: { kind: "text", text: CASE.deliverable, source: "content" },
    flags: [],
  });
});

test("lets the gate decide on a blank deliverable without calling the judge", async () => {
  const hidden = { ...CASE, deliverable: " \u200b" };
  const { candidate, seen } = failingTimes(0);
  const gated = await judgeCase(candidate, hidden, options);
  expect(gated.judgement?.judge.kind).toBe("gate");
  expect(seen).toHaveLength(0);
});

test("prints a line at every tenth", async () => {
  const out = new PassThrough();
  const count = countProgress(out, "Set", 95);
  for (let done = 0; done < 95; done++) count();
  const lines = (await text(out.end())).trimEnd().split("\n");
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("Set: 95 of 95 (0 s)");
});
