import { expect, test } from "vitest";
import { listEvidence, previewStatement } from "./dispute-evidence";

const by = (role: "contractor" | "requester", disputeScope: "work" | "terms" = "work") => ({
  submittedBy: { role, walletAddress: "0x", walletVerified: true },
  disputeScope,
});

test("a contractor's own deliverable decides only if the client submitted the outcome", () => {
  const list = (submitter: "contractor" | "requester") =>
    listEvidence({ outcome: by(submitter), me: "contractor", review: "model" })[0];
  expect(list("requester")).toEqual([
    "Your deliverable",
    "Decides, because your client submitted this outcome. Add it below.",
  ]);
  expect(list("contractor")?.[1]).toBe("Decides, as you submitted it. It can't be replaced.");
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

test("a preview has the public words, and says what takes the place of the deliverable", () => {
  const draft = {
    text: " It has both. ",
    deliverableContent: "",
    evidenceUrl: " https://a.org/b ",
  };
  expect(previewStatement(draft, false)).toMatchObject({
    text: "It has both.",
    evidenceUrl: "https://a.org/b",
    deliverableHash: null,
  });
  const document = previewStatement(draft, true);
  expect(document.deliverableHash).toBe(document.evidenceHash);
  const pasted = previewStatement({ ...draft, deliverableContent: "A secret." }, true);
  expect(pasted.deliverableHash).not.toBe(pasted.evidenceHash);
  expect(JSON.stringify(pasted)).not.toContain("A secret.");
});
