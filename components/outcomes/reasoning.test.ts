import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Dispute } from "@/server/disputes/schema";
import { writeReasoning } from "@/server/judging/examination/public-reasoning";
import type { PublicJudgement, StoredExamination } from "@/server/judging/schema";
import { JUDGEMENT_EXAMPLE } from "@/server/outcomes/public-judgement";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { Reasoning, ReviewReasoning } from "./reasoning";

const demands = [
  { demand: "Add the lines up", met: "no", why: "One line is missing.", quote: "" },
  { demand: "State the currency", met: "unclear", why: "", quote: "" },
] as const;
const examinations = [
  { outcome: "answer", verdict: "FAILURE", demands: [], call: { requestedModel: "one" } },
  { outcome: "unusable", verdict: null, demands: [], call: { requestedModel: "two" } },
] as unknown as StoredExamination[];
const { reasoning, findings } = writeReasoning(
  {
    verdict: "FAILURE",
    isAssessed: true,
    isAgreed: false,
    isReplaced: true,
    demands,
    reasoning: "A total is wrong.",
    examinations,
    flags: ["manipulation"],
  },
  [],
);
const [answered, unusable] = [
  { ...JUDGEMENT_EXAMPLE.examinations[0], verdict: "FAILURE", confidence: 0.93 },
  { ...JUDGEMENT_EXAMPLE.examinations[1], outcome: "unusable", verdict: null, confidence: null },
] as PublicJudgement["examinations"];

/** Renders a component as text, with a space for each element. */
const toText = (element: ReactElement) =>
  renderToStaticMarkup(element)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

const render = (judgement: Partial<PublicJudgement>, outcome: Partial<PublicOutcome>) =>
  toText(
    createElement(Reasoning, {
      judgement: { ...JUDGEMENT_EXAMPLE, checks: [], ...judgement },
      outcome: outcome as PublicOutcome,
    }),
  );

test("shows the verdict, each demand, who examined and every remark, once", () => {
  const shown = render(
    {
      findings: findings.map(({ id, met, shown }) => ({
        id,
        met,
        ...shown,
      })),
      examinations: [answered, unusable].flatMap((each) => each ?? []),
    },
    { llmJudgeReasoning: reasoning },
  );
  expect(shown).toMatch(
    /^ Failure A total is wrong\. Not met Add the lines up One line is missing\. Unclear State the currency Who examined .* a-model-2026-10 Failure 93% 2\.3 s 1,140, 212 another-model-2 Unusable 2\.3 s/,
  );
  expect(shown.match(/The work addresses its examiner/g)).toHaveLength(1);
  expect(shown.match(/the other one examined twice/g)).toHaveLength(1);
  expect(shown).not.toContain("Examined 2 times");
});

test("shows requirements and the answers on signed criteria, whose words are private", () => {
  const shown = render(
    {
      findings: [
        { id: "r1", met: "yes", text: "At most 40 words", note: "12 words" },
        { id: "d1", met: "yes", text: "A demand on dates or times, in private words", note: null },
      ],
      verdict: "SUCCESS",
      confidence: 0.5,
      examinations: [{ ...answered, verdict: null } as PublicJudgement["examinations"][number]],
    },
    {
      llmJudgeReasoning: "The requirement holds.\nSUCCESS.\nExamined 2 times: one.\nA remark.",
      evidence: { agreement: { requirements: [{}] } } as PublicOutcome["evidence"],
    },
  );
  expect(shown).toMatch(/^ The requirement holds\. Not assessed Met A demand on dates/);
  expect(shown).toMatch(/By criteria 93% .* A remark\. This reasoning is public/);
  expect(shown).not.toContain("At most 40 words");
});

const check = (id: string, outcome: "pass" | "not-applicable", observed: string) =>
  ({
    id,
    check: "cited-pages-exist",
    text: "Cited pages exist",
    stated: false,
    outcome,
    observed,
  }) as const;

test("a check that could not be completed has no tick", () => {
  const checks = [
    check("k1", "pass", "2 found"),
    check("k2", "pass", "1 found, 1 not reachable"),
    check("k3", "not-applicable", "the check could not be completed"),
    check("k4", "not-applicable", "nothing to check"),
  ];
  const shown = render(
    { judge: { kind: "heuristic", id: "a", version: "1" }, examinations: [], checks },
    {},
  );
  expect(shown).toMatch(/^ 1 check passed, 2 could not be completed\. /);
  expect(shown.match(/ Passed /g)).toHaveLength(1);
  expect(shown).toMatch(/Partly checked.* 1 found, 1 not reachable Not checked.* 1 not applicable/);
});

test("a review names each model that examined", () => {
  const dispute = { judge: { kind: "llm", id: "a-model" }, reason: "Because." } as Dispute;
  const { examinations } = JUDGEMENT_EXAMPLE;
  expect(toText(createElement(ReviewReasoning, { dispute, examinations }))).toMatch(
    /Because\. Who examined .* a-model-2026-10 .* another-model-2 /,
  );
});
