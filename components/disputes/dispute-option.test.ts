import { expect, test } from "vitest";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { areWordsWeighed, describeGrounds, getDisputeOption, getGrounds } from "./dispute-option";

const DAY = 86_400_000;
const RESOLVED = Date.parse("2026-11-20T12:00:00.000Z");
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
  resolvedAt: new Date(RESOLVED).toISOString(),
} as PublicOutcome;
const UNTIL = "2026-11-27T12:00:00.000Z";

test("the losing party can dispute a verdict until the window ends", () => {
  const option = { state: "open", until: UNTIL, leftMs: 6 * DAY, by: "client" };
  expect(getDisputeOption(outcome, terms, RESOLVED + DAY)).toEqual(option);
  const failure = { ...outcome, verdict: "FAILURE" } as const;
  expect(getDisputeOption(failure, terms, RESOLVED + DAY)).toEqual({
    ...option,
    by: "contractor",
  });
  expect(getDisputeOption(outcome, terms, RESOLVED + 7 * DAY)).toMatchObject({ leftMs: 0 });
  expect(getDisputeOption(outcome, terms, RESOLVED + 7 * DAY + 1)).toEqual({
    state: "over",
    until: UNTIL,
  });
});

test("a superseded outcome cannot be disputed", () => {
  const superseded = { ...outcome, superseded: { by: "o2", status: "accepted" } } as PublicOutcome;
  expect(getDisputeOption(superseded, terms, RESOLVED)).toMatchObject({ state: "none" });
});

test("a refunded outcome cannot be disputed", () => {
  const refunded = { ...outcome, refund: { status: "recording" } } as PublicOutcome;
  expect(getDisputeOption(refunded, terms, RESOLVED)).toMatchObject({ state: "none" });
});

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
    const option = getDisputeOption(job, current, RESOLVED, 5);
    expect(option.state).toBe(grounds ? "open" : "none");
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
  expect(getDisputeOption(outcome, terms, RESOLVED, 0)).toMatchObject({ state: "none" });
  expect(getDisputeOption(outcome, terms, RESOLVED, -3.51)).toMatchObject({ state: "open" });
});

test("an outcome without a verdict can't be disputed yet", () => {
  expect(getDisputeOption({} as PublicOutcome, terms, RESOLVED)).toEqual({
    state: "pending",
    windowMs: 7 * DAY,
  });
});

test.each([
  ["restored from the chain", { rebuilt: true }, {}],
  ["of a service that opens no disputes", {}, { acceptsDisputes: false }],
])("an outcome %s can't be disputed", (_, change, changedTerms) => {
  const option = getDisputeOption(
    { ...outcome, ...change } as PublicOutcome,
    { ...terms, ...changedTerms },
    RESOLVED,
  );
  expect(option.state).toBe("none");
});
