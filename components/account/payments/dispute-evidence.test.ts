import { expect, test } from "vitest";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { listEvidence } from "./dispute-evidence";

const by = (role: "contractor" | "requester", agreed = false) =>
  ({ submittedBy: { role }, agreed, judge: { kind: "llm" } }) as PublicOutcome;
const model = { disputeReview: "model" } as const;

test("a contractor's own deliverable decides only if the client submitted the outcome", () => {
  const list = (submitter: "contractor" | "requester") =>
    listEvidence(by(submitter), "contractor", model)[0];
  expect(list("requester")).toEqual([
    "Your deliverable",
    "Decides, because your client submitted this job. Add it below.",
  ]);
  expect(list("contractor")?.[1]).toBe("Decides, as you submitted it. It can't be replaced.");
});

test("words are weighed only by a model, and never against signed terms", () => {
  const getWords = (
    verdict: "SUCCESS" | "FAILURE",
    disputeReview: "model" | "checks-only",
    agreed = false,
  ) => {
    const outcome = { ...by("contractor", agreed), verdict };
    return listEvidence(outcome, "requester", { disputeReview }).at(-1)?.[1];
  };
  expect(getWords("SUCCESS", "model")).toContain("weighed by a language model");
  expect(getWords("SUCCESS", "checks-only")).toContain("decide nothing");
  // Against the party that wrote them.
  expect(getWords("FAILURE", "checks-only")).toContain("only if they clearly concede");
  expect(getWords("FAILURE", "model", true)).toContain("only if they clearly concede");
});
