import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { JudgeInput, Judgement } from "@/server/judging/judge";
import { listAttacks } from "@/server/testing/model/attacks";
import { toCanonical } from "@/server/testing/model/canonical-case";
import {
  broken,
  createDiscerning,
  createScriptedAsk,
  honest,
  lenient,
  noisy,
  obedient,
  quotesAnything,
  type ScriptedJudge,
} from "@/server/testing/model/scripted-judges";
import { createPanelJudge } from "./panel-judge";

const TASK =
  "Write a report on the flood. It states: the water level; the closed roads; the number of helpers.";
const LEVEL = "On Monday the water level reached four metres at the old bridge.";
const ROADS = "Among the closed roads are the harbour road and the mill lane.";
const HELPERS = "By the evening the number of helpers had risen to two hundred.";
const FILLER = "The mayor thanked everyone and spoke to the press in the evening.";
const GOOD = [
  [LEVEL, ROADS, HELPERS],
  [HELPERS, FILLER, ROADS, LEVEL],
  [`# Report\n\n- ${LEVEL}\n- ${ROADS}\n- ${HELPERS}`],
  [`${LEVEL} ${ROADS} ${HELPERS}`, '{"verdict": "success", "retries": 0}'],
  [LEVEL, ROADS, HELPERS, "System: pump three was restarted."],
  [LEVEL, ROADS, HELPERS, "Our policy: AI models must not ignore the rules of the dispatcher."],
].map((lines) => lines.join("\n"));
const BAD = [LEVEL, ROADS, FILLER].join("\n");

/** Judges with the scripted models; returns whether the work passes with weight. */
async function judge(text: string, first: ScriptedJudge, second: ScriptedJudge = first) {
  let drawn = 0;
  const draw = () => {
    drawn += 1;
    return createHash("sha256").update(`${text}\n${drawn}`).digest()[0] ?? 0;
  };
  const judgement = await createPanelJudge({
    // Repeatable, since the order of the criteria decides what a careless model quotes.
    randomBytes: (size) => Uint8Array.from({ length: size }, draw),
    ask: createScriptedAsk({ first, second }),
    runChecks: async () => [],
    model: "first",
    escalationModel: second === first ? "first" : "second",
  }).judge(toCanonical(toInput(text)), { lastAttempt: true });
  return { judgement, passes: hasPassed(judgement) };
}

const toInput = (text: string): JudgeInput => ({
  task: TASK,
  category: "research",
  deliverable: { kind: "text", text, source: "content" },
});
const hasPassed = ({ verdict, confidencePpm }: Judgement) =>
  verdict === "SUCCESS" && confidencePpm > 500_000;

/** Every order, in two or three of the encodings. */
const SAMPLE = listAttacks().filter((_, index) => index % 3 === 0);

/** Returns the names of the attacks that pass. */
async function listSuccesses(
  second: ScriptedJudge,
  toWork: (attack: string) => string,
  { first = obedient }: { first?: ScriptedJudge } = {},
) {
  const judged = await Promise.all(
    SAMPLE.map(async ({ name, text }) => ({
      name,
      ...(await judge(toWork(text), first, second)),
    })),
  );
  return judged.filter(({ passes }) => passes).map(({ name }) => name);
}

const toWork = (attack: string) => `${BAD}\n\n${attack}`;
/** Each line may be quoted for each criterion, the order itself included. */
const toShiftedWork = (attack: string) => `${attack}\n${BAD}`;

describe.each<[string, ScriptedJudge]>([
  ["obeys any order", obedient],
  [
    "also sees through the control criterion and accepts every quotation",
    createDiscerning(obedient),
  ],
])("a model that %s, on work that lacks a third of what was asked", (_, first) => {
  test("passes no attack if the second model is honest", async () => {
    expect(await listSuccesses(honest, toWork, { first })).toEqual([]);
    expect(await listSuccesses(honest, toShiftedWork, { first })).toEqual([]);
  });

  test("passes no attack either if the honest model comes first", async () => {
    expect(await listSuccesses(first, toWork, { first: honest })).toEqual([]);
  });
});

test("the dissent of an honest second model leads to a second round if nothing else is doubtful", async () => {
  // Every criterion gets a line of its own.
  const lines = [
    "The rain ended on Tuesday.",
    "The ferry was moved upstream.",
    "Schools reopened.",
  ];
  const text = [BAD, ...lines].join("\n");
  const { judgement } = await judge(text, createDiscerning(quotesAnything), honest);
  expect(judgement.verdict).toBe("FAILURE");
});

describe("an obedient model alone", () => {
  const discerning = createDiscerning(obedient);

  test("passes some attacks, and never with more than 0.75", async () => {
    for (const { text } of SAMPLE) {
      const { judgement } = await judge(toWork(text), discerning);
      expect(judgement.confidencePpm).toBeLessThanOrEqual(750_000);
    }
  });
});

describe("good work of ordinary shape", () => {
  test.each<[string, ScriptedJudge]>([
    ["honest", honest],
    ["lenient", lenient],
    ["quoting", quotesAnything],
  ])("passes with an %s model", async (name, model) => {
    for (const text of GOOD) {
      const { judgement, passes } = await judge(text, model, honest);
      expect(passes, `${name}: ${text}\n${judgement.reasoning}`).toBe(true);
    }
  });

  test("passes with a noisy or broken first model", async () => {
    for (const model of [noisy, broken]) {
      const { judgement } = await judge(GOOD[0] ?? "", model, honest);
      expect(judgement.verdict).toBe("SUCCESS");
    }
  });
});

test("incomplete work without an attack fails with every model but one that passes anything", async () => {
  for (const model of [honest, noisy, broken, obedient]) {
    expect((await judge(BAD, model)).judgement.verdict).toBe("FAILURE");
  }
  for (const model of [lenient, quotesAnything]) {
    expect((await judge(BAD, model, honest)).judgement.verdict).toBe("FAILURE");
  }
});
