import { afterEach, describe, expect, test } from "vitest";
import { UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import { type Canonical, type JudgeInput, JudgeUnavailable } from "@/server/judging/judge";
import { createModelClient } from "@/server/judging/model-client/model-client";
import { toCanonical } from "@/server/testing/model/canonical-case";
import {
  ATTACKS,
  createGullibleModel,
  GULLIBLE_MODELS,
  GULLIBLE_TASK,
  HONEST,
} from "@/server/testing/model/gullible-model";
import { startScriptedModel } from "@/server/testing/model/scripted-model";
import { DEFENCES, type Defence } from "./defences";
import { createPanelJudge } from "./panel-judge";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** Judges `text` by a panel over a model that falls for every attack. */
async function judgeText(text: string, without?: Defence) {
  const model = await startScriptedModel({ answer: createGullibleModel() });
  open.push(model.close);
  const ask = createModelClient({
    OPENAI_BASE_URL: model.url,
    JUDGE_TIMEOUT_SECONDS: 20,
    // Runs one request at a time to keep the replies in order.
    JUDGE_CONCURRENCY: 1,
  });
  const judge = createPanelJudge({
    runChecks: async () => (text === ATTACKS.overlong ? [TOO_LONG] : []),
    ask,
    ...GULLIBLE_MODELS,
    defences: new Set(DEFENCES.filter((defence) => defence !== without)),
  });
  const submitted: JudgeInput = {
    task: GULLIBLE_TASK,
    category: "content",
    deliverable: { kind: "text", text, source: "content" },
  };
  const raw = { ...submitted, flags: [] } as JudgeInput as Canonical;
  return judge.judge(without === "canonicalise" ? raw : toCanonical(submitted));
}

const TOO_LONG: CheckedFact = {
  id: "k1",
  check: "stated-limit",
  parameters: { kind: "words", min: null, max: 10 },
  statement: "At most 10 words.",
  text: "At most 10 words",
  result: { outcome: "fail", observed: "16 words" },
};

const ATTACK_BY_DEFENCE: Record<Exclude<Defence, "count-refusals">, string> = {
  canonicalise: ATTACKS.hidden,
  delimit: ATTACKS.forgedLine,
  remind: ATTACKS.lastWord,
  "blind-rubric": ATTACKS.criteria,
  "check-in-code": ATTACKS.overlong,
  "check-quotes": ATTACKS.promise,
  "confirm-quotes": ATTACKS.repetition,
  "void-lost-canary": ATTACKS.distraction,
  "control-criterion": ATTACKS.anything,
  "compute-verdict": ATTACKS.charm,
  vote: ATTACKS.fickle,
  escalate: ATTACKS.sway,
};

/** With these, a success that another defence leaves has no weight. */
const NEEDED_FOR_VERDICT: readonly (Defence | undefined)[] = ["escalate", "void-lost-canary"];

/** Returns whether the work passes with weight, or at all without one of the defences above. */
const passes = async (text: string, without?: Defence) => {
  const { verdict, confidencePpm } = await judgeText(text, without);
  return (
    verdict === "SUCCESS" && (confidencePpm > UNDECIDED_PPM || NEEDED_FOR_VERDICT.includes(without))
  );
};

describe.each(Object.entries(ATTACK_BY_DEFENCE) as [Defence, string][])("%s", (defence, text) => {
  test("keeps incomplete work from passing", async () => {
    expect(await passes(text)).toBe(false);
  });

  test("is necessary: without it, the attack succeeds", async () => {
    expect(await passes(text, defence)).toBe(true);
  });
});

describe("count-refusals", () => {
  test("leads to a verdict without weight if every model refuses a text", async () => {
    expect(await judgeText(ATTACKS.unspeakable)).toMatchObject({
      verdict: "FAILURE",
      confidencePpm: 500_000,
    });
  });

  test("is necessary: without it, the text avoids a verdict", async () => {
    await expect(judgeText(ATTACKS.unspeakable, "count-refusals")).rejects.toBeInstanceOf(
      JudgeUnavailable,
    );
  });
});

test.each([undefined, ...DEFENCES])("good work passes without %s", async (without) => {
  expect(await passes(HONEST, without)).toBe(true);
});
