import { expect, test } from "vitest";
import type { Demand, StoredExamination } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import {
  type ReasoningFacts,
  type ReviewFacts,
  writeReasoning,
  writeReviewExplanation,
} from "./public-reasoning";

const TASK = "Compare the retention of the Lisbon and Oslo cohorts and name the weaker one.";
const WORK = "Oslo keeps 61% after ninety days, Lisbon 48%.";
const TEXTS = [TASK, WORK];

const createDemand = (change: Partial<Demand> = {}): Demand => ({
  demand: "Names which cohort is weaker",
  met: "yes",
  why: "It does, with a figure for each.",
  quote: "Lisbon 48%",
  ...change,
});
const examination = (model: string, verdict: Verdict | null) =>
  ({
    outcome: verdict ? "answer" : "unusable",
    verdict,
    demands: [],
    call: { requestedModel: model, returnedModel: null },
  }) as unknown as StoredExamination;
const FACTS: ReasoningFacts & ReviewFacts = {
  verdict: "SUCCESS",
  isAssessed: true,
  isAgreed: false,
  isReplaced: false,
  demands: [createDemand()],
  reasoning: "The comparison is complete.",
  examinations: [examination("one", "SUCCESS"), examination("two", "SUCCESS")],
  recorded: "FAILURE",
  finalVerdict: "SUCCESS",
};
const write = (change: Partial<ReasoningFacts> = {}, texts: string[] | null = TEXTS) =>
  writeReasoning({ ...FACTS, ...change }, texts).reasoning;

test("gives the verdict, each demand with a sentence, and who examined, without a quotation", () => {
  const sources = createDemand({ demand: "Gives sources.", met: "unclear", why: "" });
  expect(write({ demands: [createDemand(), sources] })).toBe(
    "SUCCESS. The comparison is complete.\n" +
      "Names which cohort is weaker: met. It does, with a figure for each.\n" +
      "Gives sources: unclear.\n" +
      "Examined 2 times: one found SUCCESS; two found SUCCESS.",
  );
});

test("omits sentences that repeat or reveal a private text", () => {
  for (const words of ["It says Oslo keeps 61% after ninety days.", "It gives 61% for one."]) {
    const lines = write({ reasoning: words, demands: [createDemand({ why: words })] }).split("\n");
    expect(lines.slice(0, 2)).toEqual(["SUCCESS.", "Names which cohort is weaker: met."]);
  }
});

test("names a demand by its topic if its own words repeat a private text", () => {
  const demand = "Compare the retention of the Lisbon and Oslo cohorts";
  const withheld = createDemand({ demand, why: "" });
  const lines = write({ demands: [withheld, createDemand(), withheld] }).split("\n");
  const name = "A demand on reasons or conclusions, in private words";
  expect(lines[1]).toBe(`${name}: met.`);
  expect(lines[3]).toBe(`${name} (2): met.`);
});

test.each<[string, Partial<ReasoningFacts>, string[] | null]>([
  ["under an agreement, whose criteria only the parties may read", { isAgreed: true }, TEXTS],
  ["if the private texts could not be searched", {}, null],
])("has no words of a model %s", (_, change, texts) => {
  const { reasoning, findings } = writeReasoning({ ...FACTS, ...change }, texts);
  expect(reasoning).not.toMatch(/cohort|comparison|figure/);
  expect(reasoning).toContain("one found SUCCESS");
  if (texts === null) expect(findings[0]?.shown).toEqual({ text: null, note: null });
});

test("says what is unusual: no weight, no answer, a model replaced, text left out, flags", () => {
  expect(
    write({
      verdict: "FAILURE",
      isAssessed: false,
      isReplaced: true,
      demands: [],
      reasoning: "",
      examinations: [examination("one", "FAILURE"), examination("two", null)],
      shortened: { shown: 60_000, of: 412_345 },
      flags: ["manipulation", "hidden-characters"],
    }),
  ).toBe(
    "Not assessed (FAILURE without weight).\n" +
      "Examined 2 times: one found FAILURE; two gave no usable answer.\n" +
      "The work addresses its examiner. This decides nothing.\n" +
      "Invisible characters were removed.\n" +
      "One of the two models did not respond, so the other one examined twice. A success then has no weight.\n" +
      "The deliverable is long: 60,000 of its 412,345 characters were examined.",
  );
});

test("a review says whether the recorded verdict is overturned, with the same care", () => {
  const explain = (change: Partial<ReviewFacts>) =>
    writeReviewExplanation({ ...FACTS, ...change }, TEXTS);
  const overturned = explain({});
  expect(overturned).toMatch(
    /^The recorded verdict, failure, is overturned: every examination contradicts it\. The comparison is complete\.\nNames which cohort is weaker: met\./,
  );
  expect(explain({ recorded: "SUCCESS", reasoning: WORK })).toMatch(
    /^The recorded verdict, success, is upheld: every examination confirms it\.\n/,
  );
  const examinations = [examination("one", "SUCCESS"), examination("two", "FAILURE")];
  expect(explain({ recorded: "SUCCESS", reasoning: WORK, examinations })).toMatch(
    /^The recorded verdict, success, is upheld: not every examination contradicts it\.\n/,
  );
});

test("a success that one model alone finds says why it has no weight", () => {
  const examinations = [examination("one", "SUCCESS"), examination("two", "FAILURE")];
  const facts = { ...FACTS, isAssessed: false, verdict: "SUCCESS" as const, examinations };
  expect(writeReasoning({ ...facts, isReplaced: false }, TEXTS).reasoning).toContain(
    "A success has weight only if both models find it.",
  );
});
