import { expect, test } from "vitest";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { getDisputeOption } from "./dispute-option";

const DAY = 86_400_000;
const RESOLVED = Date.parse("2026-11-20T12:00:00.000Z");
const terms: DisputeTerms = {
  disputeWindowMs: 7 * DAY,
  responseWindowMs: DAY,
  acceptsDisputes: true,
};
const outcome = {
  verdict: "SUCCESS",
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

test("what code decided under an agreement is no use to dispute", () => {
  const agreed = { ...outcome, agreed: true, judge: { kind: "heuristic" } } as PublicOutcome;
  expect(getDisputeOption(agreed, terms, RESOLVED)).toMatchObject({
    state: "none",
    reason: expect.stringContaining("same checks"),
  });
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
