import { expect, test } from "vitest";
import { areWordsWeighed, listEvidence } from "./dispute-evidence";

const by = (role: "contractor" | "requester", disputeScope: "work" | "terms" = "work") => ({
  submittedBy: { role, walletAddress: "0x", walletVerified: true },
  disputeScope,
});

test("a contractor's own deliverable decides only if the client submitted the outcome", () => {
  const list = (submitter: "contractor" | "requester") =>
    listEvidence({ outcome: by(submitter), me: "contractor", review: "model" })[0];
  expect(list("requester")).toEqual([
    "Your deliverable",
    "Decides, because your client submitted this job. Add it below.",
  ]);
  expect(list("contractor")?.[1]).toBe("Decides, as you submitted it. It can't be replaced.");
});

test.each([
  ["model", "work", true],
  ["model", "terms", false],
  ["checks-only", "work", false],
] as const)("with %s review of the %s, a reason is required: %s", (review, scope, isWeighed) => {
  expect(areWordsWeighed({ outcome: by("requester", scope), review })).toBe(isWeighed);
});

test("words are weighed only by a model, and never against signed terms", () => {
  const roles = (facts: Partial<Parameters<typeof listEvidence>[0]>) =>
    listEvidence({ outcome: by("contractor"), me: "requester", review: "model", ...facts })
      .map(([name, role]) => `${name}: ${role}`)
      .join(" ");
  expect(roles({})).toContain("weighed by a language model");
  expect(roles({ review: "checks-only" })).toContain("code can't weigh them");
  expect(roles({ outcome: by("contractor", "terms") })).toContain("only if they clearly concede");
});
