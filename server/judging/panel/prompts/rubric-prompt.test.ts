import { describe, expect, test } from "vitest";
import { CHECKS } from "@/server/judging/checks/check-list";
import { hashJson } from "@/server/judging/evidence";
import { buildEntailmentQuestion } from "@/server/judging/panel/confirm-quotes";
import { REVIEW_VERSION } from "@/server/judging/panel/review";
import { CONTROL_CRITERIA } from "@/server/judging/panel/rubric/criterion-words";
import { criterionSchema } from "@/server/judging/schema";
import { CATEGORIES } from "@/server/lib/schema";
import { getGuideRubric, PANEL_VERSION } from "./category-guides";
import { buildReferenceQuestion } from "./reference-prompt";
import {
  buildRubricQuestion,
  listChecks,
  resolveChecks,
  rubricAnswerSchema,
} from "./rubric-prompt";
import { buildVoteQuestion } from "./vote-prompt";

const line = { text: "Has at most 200 words", kind: "must" as const, proof: "code" as const };
const resolve = (check: { name: string; parameters: string } | null) =>
  resolveChecks({ criteria: [{ ...line, check }] })[0];

describe("a criterion that code is to decide", () => {
  const [limit] = CHECKS.filter(({ name }) => name === "stated-limit");

  test("gets the parsed parameters of its check", () => {
    const stated = limit?.extract("Write at most 200 words.", "content")[0]?.parameters;
    expect(resolve({ name: "stated-limit", parameters: JSON.stringify(stated) })).toEqual({
      ...line,
      check: { name: "stated-limit", parameters: stated },
    });
  });

  test.each([
    null,
    { name: "no-such-check", parameters: "{}" },
    { name: "stated-limit", parameters: "at most 200" },
    { name: "stated-limit", parameters: '{"max": "many"}' },
    { name: "code-examples", parameters: '{"language": null, "examples": []}' },
  ])("is left to the votes with the check %j", (check) => {
    expect(resolve(check)).toEqual({ ...line, proof: "quote" });
  });
});

test("an answer may omit the checks, as endpoints without enforced schemas do", () => {
  const criteria = [1, 2, 3].map((n) => ({ text: `Names ${n}`, kind: "must", proof: "quote" }));
  expect(rubricAnswerSchema.safeParse({ criteria }).success).toBe(true);
});

test("every check that a rubric may use is listed with its parameters", () => {
  expect(listChecks().length).toBeGreaterThan(0);
  for (const explained of listChecks()) expect(explained).toMatch(/^- [a-z-]+: ./);
});

const options = { model: "" };

test.each(CATEGORIES)("the fallback criteria for %s are a valid rubric", (category) => {
  const rubric = getGuideRubric(category);
  for (const criterion of rubric) expect(criterionSchema.safeParse(criterion).success).toBe(true);
  const criteria = rubric.map(({ id: _, ...line }) => line);
  expect(rubricAnswerSchema.safeParse({ criteria }).success).toBe(true);
});

/** After changing a prompt or a guide, bump the version and update the hash here. */
test("prompts and guides match their version", () => {
  const nothing = { mark: "m", canary: "", code: "" };
  const votes = (["vote", "review"] as const).map((purpose) =>
    buildVoteQuestion({ task: "", deliverable: "", criteria: [] }, nothing, {
      ...options,
      purpose,
    }),
  );
  const claim = buildEntailmentQuestion([], nothing, options);
  const drafts = CATEGORIES.flatMap((category) => [
    buildRubricQuestion({ task: "", category }, nothing, options, []),
    buildReferenceQuestion({ task: "", category }, nothing, options),
  ]);
  const messages = [...votes, claim, ...drafts].map((question) => question.messages);
  const hash = hashJson([messages, CATEGORIES.map(getGuideRubric), CONTROL_CRITERIA]);
  expect({ version: PANEL_VERSION, review: REVIEW_VERSION, hash }).toEqual({
    version: "panel/v3",
    review: "panel-review/v4",
    hash: "0xccf650ea58f84a44b6769c67ae07bb1493c7bba72a3ee880fda0b1a758ede748",
  });
});
