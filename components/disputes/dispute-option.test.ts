import { expect, test } from "vitest";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { areWordsWeighed, describeGrounds, explainNoDispute, getGrounds } from "./dispute-option";

const DAY = 86_400_000;
const terms: DisputeTerms = {
  disputeWindowMs: 7 * DAY,
  responseWindowMs: DAY,
  acceptsDisputes: true,
  disputeReview: "model",
};
const outcome = {
  verdict: "SUCCESS",
  judge: { kind: "llm" },
  submittedBy: { role: "contractor" },
  resolvedAt: "2026-11-20T12:00:00.000Z",
} as PublicOutcome;
const decide = (
  kind: "heuristic" | "gate" | "llm",
  verdict: "SUCCESS" | "FAILURE",
  role: "contractor" | "requester" = "contractor",
  agreed = false,
) => ({ ...outcome, verdict, agreed, judge: { kind }, submittedBy: { role } }) as PublicOutcome;

test.each([
  // What a model decided, a model examines again.
  ["model", decide("llm", "SUCCESS"), "examination"],
  ["model", decide("llm", "FAILURE", "contractor", true), "examination"],
  ["checks-only", decide("llm", "FAILURE", "requester"), null],
  // Without a failed check, no model has seen the work yet.
  ["model", decide("heuristic", "SUCCESS"), "examination"],
  ["checks-only", decide("heuristic", "SUCCESS", "requester"), null],
  // A fault kept it from being judged.
  ["checks-only", decide("gate", "SUCCESS"), "examination"],
  // A failed check, or no text: only another deliverable can change that.
  ["model", decide("heuristic", "FAILURE"), null],
  ["model", decide("gate", "FAILURE", "requester"), "deliverable"],
  ["checks-only", decide("heuristic", "FAILURE", "requester"), "deliverable"],
  ["checks-only", decide("heuristic", "FAILURE"), null],
  ["model", decide("heuristic", "FAILURE", "requester", true), null],
] as const)(
  "with a review by %s, the case %# can change by: %3$s",
  (disputeReview, job, grounds) => {
    const current = { ...terms, disputeReview };
    expect(getGrounds(job, current)).toBe(grounds);
    expect(explainNoDispute(job, current, 5) === null).toBe(grounds !== null);
    const isWeighed = grounds !== null && disputeReview === "model" && !job.agreed;
    expect(areWordsWeighed(job, current)).toBe(isWeighed);
    const text = describeGrounds(job, { disputeReview, ifOverturned: 5 });
    // Only a judge that sees something new may move the score by the points of a success.
    expect(text.includes("+5.00 points")).toBe(
      grounds === "examination" || (grounds === "deliverable" && disputeReview === "model"),
    );
    if (!grounds)
      expect(text).toMatch(/^A dispute would repeat it: code decides the same .* concedes\.$/);
  },
);

test("to the contractor, the deliverable and the score are its own", () => {
  const job = decide("gate", "FAILURE", "requester");
  expect(describeGrounds(job, { ...terms, ifOverturned: 21.42, whose: "your" })).toMatch(
    /^Only your own deliverable .* moves your score by \+21\.42 points\.$/,
  );
});

test("a verdict is no use to dispute if overturning it would not move the score", () => {
  expect(explainNoDispute(outcome, terms, 0)).toContain("wouldn't move the score");
  expect(explainNoDispute(outcome, terms, -3.51)).toBeNull();
});

test.each([
  ["restored from the chain", { rebuilt: true }, {}],
  ["of a service that opens no disputes", {}, { acceptsDisputes: false }],
])("an outcome %s can't be disputed", (_, change, changedTerms) => {
  const changed = { ...outcome, ...change } as PublicOutcome;
  expect(explainNoDispute(changed, { ...terms, ...changedTerms }, null)).toMatch(/^No dispute: /);
});
