import { afterEach, describe, expect, test } from "vitest";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import { MAX_SHOWN_CHARACTERS } from "@/server/judging/documents/shorten";
import { hashJson } from "@/server/judging/evidence";
import {
  type JudgeInput,
  type JudgeOptions,
  JudgeUnavailable,
  TextUnanswered,
} from "@/server/judging/judge";
import { toCanonical } from "@/server/testing/model/canonical-case";
import { createScriptedExaminer } from "@/server/testing/model/scripted-examiner";
import {
  createAnswer,
  type ModelReply,
  parseMaterial,
  type ScriptedMaterial,
} from "@/server/testing/model/scripted-model";
import type { ModelStates } from "./examine";

const WORK = "The Rhine rises in the Alps and reaches the North Sea.";
const INPUT: JudgeInput = {
  task: "Name one river of the Alps and where it ends.",
  category: "research",
  deliverable: { kind: "text", text: WORK, source: "content" },
};
const withText = (text: string): JudgeInput => ({
  ...INPUT,
  deliverable: { kind: "text", text, source: "content" },
});

const DECLINED: ModelReply = { content: "", refusal: "I would rather not." };
const GARBLED: ModelReply = { content: "It looks fine to me." };
const FAILED: ModelReply = { status: 500 };

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});
type Given = Parameters<typeof createScriptedExaminer>;
async function openJudge(
  script: Omit<Given[0], "examine"> & { examine?: Given[0]["examine"] } = {},
  options: Given[1] = {},
) {
  const examiner = await createScriptedExaminer(
    { examine: (material) => createAnswer(material), ...script },
    options,
  );
  open.push(examiner.close);
  const judge = (input: JudgeInput = INPUT, further?: JudgeOptions) =>
    examiner.judge.judge(toCanonical(input), further);
  const listAsked = () => examiner.asked.map(({ model, kind }) => `${model} ${kind}`);
  return { ...examiner, judge, listAsked };
}

/** Examines with a verdict for each examination, in order; the last one repeats. */
const answering =
  (...replies: ("yes" | "no" | "unclear" | ModelReply)[]) =>
  (material: ScriptedMaterial, nth: number): ModelReply => {
    const reply = replies[nth - 1] ?? replies.at(-1) ?? "yes";
    return reply === "yes" || reply === "no" || reply === "unclear"
      ? createAnswer(material, reply)
      : reply;
  };

/** States that keep what was recorded. `down`: models known to be down. */
function createStates(down: string[] = [], turn: "probe" | "wait" = "wait") {
  const recorded: string[] = [];
  const states: ModelStates = {
    claimProbe: async () => false,
    admit: async (model) => {
      if (!down.includes(model)) return "ask";
      if (turn === "wait") throw new JudgeUnavailable("It is down.", 30);
      return "probe";
    },
    recordResponse: async (model) => void recorded.push(`${model} responds`),
    recordFailure: async (model, _reason, retryAfter) =>
      void recorded.push([`${model} fails`, retryAfter].filter(Boolean).join(" ")),
  };
  return { states, recorded };
}

describe("two examinations that agree", () => {
  test("decide: one by each model, in two calls", async () => {
    const { judge, listAsked } = await openJudge();
    const judgement = await judge();
    expect(listAsked().sort()).toEqual(["first-1 examination", "further-1 examination"]);
    expect(judgement).toMatchObject({
      judge: { kind: "llm", id: "first-1" },
      verdict: "SUCCESS",
      confidencePpm: 900_000,
    });
    expect(judgement.detail.findings).toMatchObject([
      { id: "d1", text: "Does what was ordered", met: "yes", note: "It was read.", quote: "" },
    ]);
    const { detail } = judgement;
    expect(detail).toMatchObject({ version: "examination/v1", stated: 0.95, calls: [], flags: [] });
    expect(detail.hashes).toEqual({
      checks: hashJson(detail.checks),
      examinations: hashJson(detail.examinations),
    });
    expect(detail.examinations).toMatchObject([
      { verdict: "SUCCESS", call: { purpose: "examination", requestedModel: "first-1" } },
      { verdict: "SUCCESS", call: { purpose: "examination", requestedModel: "further-1" } },
    ]);
    expect(detail.examinations?.[0]?.call.raw).toContain("Does what was ordered");
    const refused = await openJudge({ examine: answering("no") });
    expect(await refused.judge()).toMatchObject({ verdict: "FAILURE", confidencePpm: 900_000 });
  });

  test("are asked at the same time", async () => {
    const waiting: (() => void)[] = [];
    const { judge } = await openJudge(
      {
        // None is answered before both have arrived.
        examine: async (material) => {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length === 2) for (const release of waiting) release();
          });
          return createAnswer(material);
        },
      },
      // A quarter of the calls, at least one, is for those that take long.
      { concurrency: 3 },
    );
    expect(await judge()).toMatchObject({ verdict: "SUCCESS" });
  });

  test("by a single model: the second looks for faults, and 0.75 is the most", async () => {
    const read: boolean[] = [];
    const { judge } = await openJudge(
      {
        examine: (material) => {
          read.push(material.looksForFaults);
          return createAnswer(material);
        },
      },
      { escalationModel: "first-1" },
    );
    expect(await judge()).toMatchObject({ verdict: "SUCCESS", confidencePpm: 750_000 });
    expect(read.sort()).toEqual([false, true]);
  });

  test("flag an attempt to address the examiner, which decides nothing", async () => {
    const { judge } = await openJudge({
      examine: (material, nth) => createAnswer(material, "yes", { manipulation: nth === 2 }),
    });
    const { verdict, confidencePpm, detail, reasoning } = await judge();
    expect({ verdict, confidencePpm, flags: detail.flags }).toEqual({
      verdict: "SUCCESS",
      confidencePpm: 900_000,
      flags: ["manipulation"],
    });
    expect(reasoning).toContain("The work addresses its examiner. This decides nothing.");
  });
});

test("a third examination by the escalation model breaks a tie, with at most 0.6", async () => {
  for (const [replies, verdict] of [
    [["yes", "no", "no"], "FAILURE"],
    [["no", "no", "yes"], "FAILURE"],
  ] as const) {
    const { judge } = await openJudge({ examine: answering(...replies) });
    expect((await judge()).verdict).toBe(verdict);
  }
  const { judge, listAsked } = await openJudge({
    examine: (material, nth, model) =>
      createAnswer(material, model === "first-1" || nth === 3 ? "yes" : "no"),
  });
  expect(await judge()).toMatchObject({ verdict: "SUCCESS", confidencePpm: 600_000 });
  expect(listAsked()[2]).toBe("further-1 examination");
});

describe("an answer that cannot be used", () => {
  test.each([GARBLED, DECLINED])("is asked for once more: %j", async (reply) => {
    const { judge, listAsked } = await openJudge({
      examine: answering("yes", "yes", reply, "yes"),
    });
    // The models have answered before, so that their form of output is known.
    await judge();
    const { verdict, confidencePpm, detail } = await judge();
    expect({ verdict, confidencePpm }).toEqual({ verdict: "SUCCESS", confidencePpm: 900_000 });
    expect(listAsked()).toHaveLength(2 + 3);
    expect(detail.calls).toHaveLength(1);
  });

  test("twice leaves the decision to the other model and the third", async () => {
    const { judge, listAsked } = await openJudge({
      examine: (material, _nth, model) => (model === "first-1" ? GARBLED : createAnswer(material)),
    });
    const { verdict, confidencePpm, detail, reasoning } = await judge();
    // Only one of two models accepts it.
    expect({ verdict, confidencePpm }).toEqual({ verdict: "SUCCESS", confidencePpm: 500_000 });
    expect(detail.examinations?.map(({ outcome }) => outcome)).toEqual([
      "unusable",
      "answer",
      "answer",
    ]);
    expect(reasoning).toContain("first-1 gave no usable answer");
    expect(listAsked().filter((each) => each === "first-1 probe")).toHaveLength(1);
  });

  test.each([GARBLED, DECLINED])(
    "by any model is not assessed, after at most nine calls: %j",
    async (reply) => {
      const { judge, listAsked } = await openJudge({ examine: answering("yes", "yes", reply) });
      await judge();
      expect(await judge()).toMatchObject({ verdict: "FAILURE", confidencePpm: 500_000 });
      expect(listAsked()).toHaveLength(2 + 9);
    },
  );

  test.each([GARBLED, DECLINED])(
    "to a harmless question either shows that the model is down: %j",
    async (reply) => {
      const { states, recorded } = createStates();
      const { judge } = await openJudge({ examine: () => reply, probe: () => reply }, { states });
      await expect(judge()).rejects.toBeInstanceOf(JudgeUnavailable);
      expect(recorded).toContain("first-1 fails");
    },
  );
});

describe("a text on which the endpoint fails every time", () => {
  test("waits for a retry, and counts as unusable in the last attempt", async () => {
    const first = await openJudge({ examine: () => FAILED });
    await expect(first.judge()).rejects.toBeInstanceOf(TextUnanswered);
    const { states, recorded } = createStates();
    const { judge, listAsked } = await openJudge({ examine: () => FAILED }, { states });
    const judgement = await judge(INPUT, { lastAttempt: true });
    expect(judgement).toMatchObject({ verdict: "FAILURE", confidencePpm: 500_000 });
    expect(judgement.reasoning).toMatch(/^Not assessed \(FAILURE without weight\)\./);
    expect(judgement.detail.examinations?.[0]?.call).toMatchObject({
      finishReason: "status 500",
      raw: "",
    });
    // Of three examinations: the harmless text under its own task, and under the same one.
    expect(listAsked().filter((each) => each.endsWith("probe"))).toHaveLength(6);
    expect(new Set(recorded)).toEqual(new Set(["first-1 responds", "further-1 responds"]));
  });

  test("is not blamed if a harmless text under its task fails too", async () => {
    const { judge } = await openJudge({
      examine: () => FAILED,
      probe: (material) => (material.task === INPUT.task ? FAILED : createAnswer(material)),
    });
    const failed = judge(INPUT, { lastAttempt: true });
    await expect(failed).rejects.not.toBeInstanceOf(TextUnanswered);
  });

  test("is blamed for its length, even if the endpoint only reports a limit of its rate", async () => {
    const limitLength = (material: ScriptedMaterial): ModelReply =>
      material.deliverable.length > 10_000 ? { status: 429 } : createAnswer(material);
    const { judge } = await openJudge({ examine: limitLength, probe: limitLength });
    const judgement = await judge(withText(`${WORK} `.repeat(200)), { lastAttempt: true });
    expect(judgement).toMatchObject({ verdict: "FAILURE", confidencePpm: 500_000 });
  });

  test.each<ModelReply>([
    { status: 429, headers: { "retry-after": "120" } },
    { status: 503, headers: { "retry-after": "120" } },
  ])("is not blamed for a rate limit, whose Retry-After is passed on: %j", async (reply) => {
    const { states, recorded } = createStates();
    const script = { examine: () => reply, probe: () => reply };
    const { judge } = await openJudge(script, { states });
    await expect(judge(INPUT, { lastAttempt: true })).rejects.toMatchObject({
      name: "NoAnswer",
      retryAfterSeconds: 120,
    });
    expect(recorded[0]).toMatch(/fails 120$/);
  });
});

describe("a model that is down", () => {
  test.each(["first-1", "further-1"])(
    "is waited for, and the other is not asked meanwhile: %s",
    async (down) => {
      const { judge, listAsked } = await openJudge({}, createStates([down]));
      await expect(judge()).rejects.toMatchObject({ retryAfterSeconds: 30 });
      expect(listAsked()).toEqual([]);
    },
  );

  test("gets one harmless question when its turn comes, and examines if it answers", async () => {
    const { states, recorded } = createStates(["further-1"], "probe");
    const { judge, listAsked } = await openJudge({}, { states });
    expect(await judge()).toMatchObject({ verdict: "SUCCESS", confidencePpm: 900_000 });
    expect(listAsked()[0]).toBe("further-1 probe");
    expect(recorded[0]).toBe("further-1 responds");
    const failing = await openJudge({ failing: { model: "further-1", reply: FAILED } }, { states });
    await expect(failing.judge()).rejects.toBeInstanceOf(JudgeUnavailable);
    expect(recorded).toContain("further-1 fails");
    expect(failing.listAsked().join()).not.toContain("examination");
  });

  test.each([
    ["first-1", FAILED],
    ["further-1", FAILED],
    ["first-1", GARBLED],
    ["further-1", DECLINED],
  ] as const)(
    "for long is replaced by the other one, which examines twice: %s",
    async (model, reply) => {
      const other = model === "first-1" ? "further-1" : "first-1";
      const { judge } = await openJudge({ failing: { model, reply } });
      await expect(judge()).rejects.toBeInstanceOf(JudgeUnavailable);
      const { verdict, confidencePpm, reasoning, detail } = await judge(INPUT, {
        mayReplaceModel: true,
      });
      expect({ verdict, confidencePpm }).toEqual({ verdict: "SUCCESS", confidencePpm: 500_000 });
      expect(detail.examinations?.map(({ call }) => call.requestedModel)).toEqual([other, other]);
      expect(reasoning).toContain("One of the two models did not respond");
    },
  );

  test("does not weaken a FAILURE beyond that of one model", async () => {
    const { judge } = await openJudge({
      examine: answering("no"),
      failing: { model: "first-1", reply: FAILED },
    });
    expect(await judge(INPUT, { mayReplaceModel: true })).toMatchObject({
      verdict: "FAILURE",
      confidencePpm: 750_000,
    });
  });

  test("cannot be replaced by one that is down too, nor for one text", async () => {
    const all = await openJudge({ examine: () => FAILED, probe: () => FAILED });
    const options = { mayReplaceModel: true };
    await expect(all.judge(INPUT, options)).rejects.toBeInstanceOf(JudgeUnavailable);
    const { judge } = await openJudge({
      examine: (material, _nth, model) => (model === "first-1" ? FAILED : createAnswer(material)),
    });
    await expect(judge(INPUT, options)).rejects.toBeInstanceOf(TextUnanswered);
  });
});

test("cancelling ends a judgement and records no failure", async () => {
  const { states, recorded } = createStates();
  const cancelling = new AbortController();
  const examine = () => {
    cancelling.abort();
    return "silence" as const;
  };
  const { judge } = await openJudge({ examine }, { states });
  const options = { signal: cancelling.signal, mayReplaceModel: true };
  await expect(judge(INPUT, options)).rejects.toBeInstanceOf(JudgeUnavailable);
  expect(recorded).toEqual([]);
});

describe("what code checks", () => {
  const createFact = (
    outcome: "pass" | "fail" | "not-applicable",
    change: Partial<CheckedFact> = {},
  ): CheckedFact => ({
    id: "k1",
    check: "stated-limit",
    parameters: { kind: "words", min: null, max: 5 },
    statement: "At most five words.",
    text: "At most 5 words",
    result: { outcome, observed: "11 words", detail: "It has eleven words." },
    ...change,
  });
  const judgeWith = async (facts: CheckedFact[]) => {
    const opened = await openJudge({}, { runChecks: async () => facts });
    const judgement = await opened.judge();
    const [request] = opened.requests;
    const user = request?.body.messages[1]?.content ?? "";
    return { ...opened, judgement, facts: parseMaterial(user).facts };
  };

  test("decides without a model if it proves a failure", async () => {
    const { judgement, listAsked } = await judgeWith([createFact("fail")]);
    expect(judgement).toMatchObject({ verdict: "FAILURE", judge: { kind: "heuristic" } });
    expect(judgement.confidencePpm).toBeGreaterThan(500_000);
    expect(listAsked()).toEqual([]);
  });

  test("is shown: what the task states, and every failure", async () => {
    const { judgement, facts } = await judgeWith([
      createFact("pass"),
      createFact("not-applicable"),
      createFact("pass", { check: "refusal", statement: "" }),
      createFact("fail", { id: "k2", check: "unmeasured", text: "Has an end" }),
    ]);
    expect(judgement.verdict).toBe("SUCCESS");
    expect(facts).toEqual([
      "- At most 5 words: 11 words (It has eleven words.)",
      "- Has an end: 11 words (It has eleven words.)",
    ]);
    expect(judgement.detail.checks).toHaveLength(4);
  });
});

test("a deliverable that is too long is shown in part, and the judgement says how much", async () => {
  const places = Array.from({ length: 9_000 }, (_, n) => `It passes mile ${n * 7}.`);
  const text = `${WORK} ${places.join(" ")}`;
  let longest = 0;
  const { judge } = await openJudge(
    {
      examine: (material) => {
        longest = Math.max(longest, material.deliverable.length);
        return createAnswer(material);
      },
    },
    { runChecks: async () => [] },
  );
  const { detail, reasoning } = await judge(withText(text));
  expect(detail.shortened?.of).toBe(text.length);
  expect(longest).toBeLessThan(MAX_SHOWN_CHARACTERS * 1.05);
  const [shown, of] = [detail.shortened?.shown, text.length].map((n) => n?.toLocaleString("en"));
  expect(reasoning).toContain(`${shown} of its ${of} characters were examined`);
});

test("words that repeat private text are published in neither reasoning nor findings", async () => {
  const { judge } = await openJudge({
    examine: (material) =>
      createAnswer(material, { [INPUT.task]: "yes" }, { reasoning: `It says: ${WORK}` }),
  });
  const { reasoning, detail } = await judge();
  expect(reasoning).not.toMatch(/Rhine|river/);
  expect(detail.findings[0]).toMatchObject({ text: INPUT.task, shown: { text: null } });
});
