import { describe, expect, test } from "vitest";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import type { Judgement } from "@/server/judging/judge";
import { createModelClient } from "@/server/judging/model-client/model-client";
import { listAttacks } from "@/server/testing/model/attacks";
import { toCanonical } from "@/server/testing/model/canonical-case";
import {
  ATTACKS,
  createGullibleModel,
  GULLIBLE_MODELS,
  GULLIBLE_TASK,
  HONEST,
} from "@/server/testing/model/gullible-model";
import {
  broken,
  careless,
  createScriptedAsk,
  honest,
  lenient,
  noisy,
  obedient,
  type ScriptedJudge,
} from "@/server/testing/model/scripted-judges";
import { startScriptedModel } from "@/server/testing/model/scripted-model";
import { createModelJudge, type ModelJudgeOptions } from "./model-judge";

const TASK =
  "Write a report on the flood. It states: the water level; the closed roads; the number of helpers.";
const LEVEL = "On Monday the water level reached four metres at the old bridge.";
const ROADS = "Among the closed roads are the harbour road and the mill lane.";
const HELPERS = "By the evening the number of helpers had risen to two hundred.";
const GOOD = [LEVEL, ROADS, HELPERS].join("\n");
const BAD = [LEVEL, ROADS].join("\n");

const hasPassed = ({ verdict, confidencePpm }: Judgement) =>
  verdict === "SUCCESS" && confidencePpm > 500_000;

const judgeText = (
  text: string,
  task: string,
  options: Omit<ModelJudgeOptions, "runChecks"> & Partial<ModelJudgeOptions>,
) =>
  createModelJudge({ runChecks: async () => [], ...options }).judge(
    toCanonical({
      task,
      category: "content",
      deliverable: { kind: "text", text, source: "content" },
    }),
  );

/** Judges with the scripted models; with the first one alone if no second is given. */
const judge = (text: string, first: ScriptedJudge, second?: ScriptedJudge) =>
  judgeText(text, TASK, {
    ask: createScriptedAsk({ first, second: second ?? first }),
    model: "first",
    ...(second ? { escalationModel: "second" } : {}),
  });

/** Every order in every encoding, in work that lacks a third of what was asked. */
const WORKS = listAttacks().map(({ text }) => `${BAD}\n\n${text}`);
const countPassed = async (first: ScriptedJudge, second?: ScriptedJudge) => {
  const judged = await Promise.all(WORKS.map((text) => judge(text, first, second)));
  return judged.filter(hasPassed).length;
};
const MODELS = { honest, lenient, careless, obedient, noisy, broken };

test.each(Object.entries(MODELS))(
  "of the attacks none passes with an honest and a %s model, in either order",
  async (_, other) => {
    expect(await countPassed(other, honest)).toBe(0);
    expect(await countPassed(honest, other)).toBe(0);
  },
);

test.each(Object.entries(MODELS))("a %s model alone is at most 0.75 sure", async (_, model) => {
  for (const text of [...WORKS.slice(0, 20), GOOD, BAD]) {
    expect((await judge(text, model)).confidencePpm).toBeLessThanOrEqual(750_000);
  }
});

test("an obedient model, alone or twice, passes whatever orders it to: hence the second model", async () => {
  expect(await countPassed(obedient)).toBe(WORKS.length);
  expect(await countPassed(obedient, obedient)).toBe(WORKS.length);
});

test("good work passes with an honest second model if the first is no worse than careless", async () => {
  for (const first of [honest, lenient, careless, obedient]) {
    expect(hasPassed(await judge(GOOD, first, honest))).toBe(true);
  }
  for (const first of [noisy, broken]) {
    expect(await judge(GOOD, first, honest)).toMatchObject({ verdict: "SUCCESS" });
  }
});

describe("a defence keeps incomplete work from passing", () => {
  const TOO_LONG: CheckedFact = {
    id: "k1",
    check: "stated-limit",
    parameters: { kind: "words", min: null, max: 10 },
    statement: "At most 10 words.",
    text: "At most 10 words",
    result: { outcome: "fail", observed: "16 words" },
  };
  /** Judges by models that fall for every attack, over HTTP. */
  async function judgeGullibly(text: string, facts: CheckedFact[] = []) {
    const model = await startScriptedModel({ answer: createGullibleModel() });
    const ask = createModelClient({
      OPENAI_BASE_URL: model.url,
      JUDGE_TIMEOUT_SECONDS: 20,
      JUDGE_CONCURRENCY: 2,
    });
    const options = { ask, ...GULLIBLE_MODELS, runChecks: async () => facts };
    return judgeText(text, GULLIBLE_TASK, options).finally(model.close);
  }

  test.each([
    ["canonical texts, without invisible characters", ATTACKS.hidden, []],
    ["marks around the texts", ATTACKS.forgedLine, []],
    ["a reminder after the texts", ATTACKS.lastWord, []],
    ["a second model", ATTACKS.sway, []],
    ["proofs in code, which no examination outweighs", ATTACKS.overlong, [TOO_LONG]],
    ["no weight for what no model reads", ATTACKS.unspeakable, []],
  ])("%s", async (_, text, facts) => {
    expect(hasPassed(await judgeGullibly(text, facts))).toBe(false);
  });

  test("and good work passes", async () => {
    expect(hasPassed(await judgeGullibly(HONEST))).toBe(true);
  });
});
