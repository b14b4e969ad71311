import { expect, test } from "vitest";
import { hashJson } from "@/server/judging/evidence";
import { buildEntailmentQuestion } from "@/server/judging/panel/confirm-quotes";
import { DEFENCES } from "@/server/judging/panel/defences";
import { REVIEW_VERSION } from "@/server/judging/panel/review";
import { criterionSchema } from "@/server/judging/schema";
import { CATEGORIES } from "@/server/lib/schema";
import { getGuideRubric, PANEL_VERSION } from "./category-guides";
import { CONTROL_CRITERIA } from "./control-criteria";
import { buildReferenceQuestion } from "./reference-prompt";
import { buildRubricQuestion, rubricAnswerSchema } from "./rubric-prompt";
import { buildVoteQuestion } from "./vote-prompt";

const options = { model: "", defences: new Set(DEFENCES) };

test.each(CATEGORIES)("the fallback criteria for %s are a valid rubric", (category) => {
  const rubric = getGuideRubric(category);
  for (const criterion of rubric) expect(criterionSchema.safeParse(criterion).success).toBe(true);
  const criteria = rubric.map(({ id: _, ...line }) => line);
  expect(rubricAnswerSchema.safeParse({ criteria }).success).toBe(true);
});

/** After changing a prompt or a guide, bump the version and update the hash here. */
test("prompts and guides match their version", () => {
  const nothing = { mark: "", canary: "", code: "" };
  const votes = (["vote", "review"] as const).map((purpose) =>
    buildVoteQuestion({ task: "", deliverable: "", criteria: [] }, nothing, {
      ...options,
      purpose,
    }),
  );
  const claim = buildEntailmentQuestion({ criterion: "", quote: "" }, nothing, options);
  const drafts = CATEGORIES.flatMap((category) => [
    buildRubricQuestion({ task: "", category }, nothing, options, []),
    buildReferenceQuestion({ task: "", category }, nothing, options),
  ]);
  const messages = [...votes, claim, ...drafts].map((question) => question.messages);
  const hash = hashJson([messages, CATEGORIES.map(getGuideRubric), CONTROL_CRITERIA]);
  expect({ version: PANEL_VERSION, review: REVIEW_VERSION, hash }).toEqual({
    version: "panel/v2",
    review: "panel-review/v4",
    hash: "0x4ef3d7db45861ff8cb3654bd38065f57b33b1229dd0d1a609f8da55945f90537",
  });
});
