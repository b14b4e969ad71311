import { afterEach, expect, test } from "vitest";
import { UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import type { JudgeInput } from "@/server/judging/judge";
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
import { createPanelJudge } from "./panel-judge";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** Judges `text` by a panel over a model that falls for every attack. */
async function judgeText(text: string) {
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
  });
  const submitted: JudgeInput = {
    task: GULLIBLE_TASK,
    category: "content",
    deliverable: { kind: "text", text, source: "content" },
  };
  return judge.judge(toCanonical(submitted));
}

const TOO_LONG: CheckedFact = {
  id: "k1",
  check: "stated-limit",
  parameters: { kind: "words", min: null, max: 10 },
  statement: "At most 10 words.",
  text: "At most 10 words",
  result: { outcome: "fail", observed: "16 words" },
};

/** By the one defence that keeps each from passing. */
const ATTACK_BY_DEFENCE = {
  "canonical texts, without invisible characters": ATTACKS.hidden,
  "marks around the texts": ATTACKS.forgedLine,
  "a reminder after the texts": ATTACKS.lastWord,
  "criteria written without the deliverable": ATTACKS.criteria,
  "proofs in code, which no vote outweighs": ATTACKS.overlong,
  "a quotation behind each yes": ATTACKS.promise,
  "a call that confirms the quotations": ATTACKS.repetition,
  "a canary in each vote": ATTACKS.distraction,
  "a control criterion": ATTACKS.anything,
  "a verdict computed from the findings": ATTACKS.charm,
  "more than one vote": ATTACKS.fickle,
  "a second round of votes": ATTACKS.sway,
};

const passes = async (text: string) => {
  const { verdict, confidencePpm } = await judgeText(text);
  return verdict === "SUCCESS" && confidencePpm > UNDECIDED_PPM;
};

test.each(Object.entries(ATTACK_BY_DEFENCE))(
  "%s keeps incomplete work from passing",
  async (_, text) => {
    expect(await passes(text)).toBe(false);
  },
);

test("a text that every model refuses gets a verdict without weight", async () => {
  expect(await judgeText(ATTACKS.unspeakable)).toMatchObject({
    verdict: "FAILURE",
    confidencePpm: UNDECIDED_PPM,
  });
});

test("good work passes", async () => {
  expect(await passes(HONEST)).toBe(true);
});
