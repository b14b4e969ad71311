import { expect, test } from "vitest";
import type { Dispute } from "@/server/disputes/schema";
import { OUTCOME_EXAMPLE } from "@/server/outcomes/outcome-example";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { listPartyActions } from "./party-actions";

const NOW = Date.parse("2026-11-21T12:01:00.000Z");
const terms = {
  disputeWindowMs: 3_600_000,
  responseWindowMs: 60_000,
  acceptsDisputes: true,
  disputeReview: "model",
} as const;
const UNTIL = "2026-11-21T13:00:00.000Z";

/** Without the reading of the deliverable, which outlives all else. */
function list(changes: object, dispute: Dispute | null = null, now = NOW) {
  const outcome = { ...OUTCOME_EXAMPLE, ...changes } as PublicOutcome;
  const actions = listPartyActions({
    outcome,
    dispute,
    terms,
    stakeUsdc: "0.50",
    ifOverturned: 21.42,
    now,
  });
  expect(actions.at(-1)).toMatchObject({ party: "Both", until: "2026-12-21T13:00:00.000Z" });
  return actions.slice(0, -1).map(({ party, action, until }) => [party, action, until]);
}

const failure = { verdict: "FAILURE", finalVerdict: "FAILURE", paidUsdc: 12.5 };

test("the losing party can dispute, and a paid contractor refund, until the window ends", () => {
  expect(list(failure)).toEqual([
    ["Contractor", "Dispute the failure", UNTIL],
    ["Contractor", "Refund the payment", UNTIL],
  ]);
  expect(list({ paidUsdc: 0 })).toEqual([["Client", "Dispute the success", UNTIL]]);
  expect(list({ paidUsdc: 0, assessed: false })).toEqual([
    ["Client", "Dispute the verdict", UNTIL],
  ]);
  expect(list(failure, null, Date.parse(UNTIL))).toEqual([]);
});

test("a success offers no refund, and without a delivery there is nothing to read", () => {
  expect(list({ paidUsdc: 12.5 })).toEqual([["Client", "Dispute the success", UNTIL]]);
  const outcome = { ...OUTCOME_EXAMPLE, ...failure, judge: { kind: "gate", id: "a" } };
  const props = { dispute: null, terms, stakeUsdc: "0.50", ifOverturned: 0, now: NOW };
  const actions = listPartyActions({ outcome: outcome as PublicOutcome, ...props });
  expect(actions.map(({ action }) => action)).toEqual(["Refund the payment"]);
});

test("nothing can be done about a refunded outcome", () => {
  expect(list({ ...failure, refund: { status: "recording" } })).toEqual([]);
});

test("the other party of an open dispute can answer it", () => {
  const dispute = {
    phase: "awaiting-answer",
    openedBy: "contractor",
    expiresAt: "2026-11-21T12:02:00.000Z",
    stakes: [{ walletAddress: OUTCOME_EXAMPLE.requesterAgentAddress, state: "none" }],
  } as Dispute;
  const disputed = { ...failure, paidUsdc: 0, disputeId: "d" };
  expect(list(disputed, dispute)).toEqual([
    ["Client", "Answer the dispute", "2026-11-21T12:02:00.000Z"],
  ]);
  expect(list(disputed, { ...dispute, phase: "in-review" })).toEqual([]);
});

test("no dispute is offered that only repeats what code decided, or changes nothing", () => {
  const listActions = (changes: object, ifOverturned: number | null) =>
    listPartyActions({
      outcome: { ...OUTCOME_EXAMPLE, ...failure, paidUsdc: 0, ...changes } as PublicOutcome,
      dispute: null,
      terms,
      stakeUsdc: "0.50",
      ifOverturned,
      now: NOW,
    })
      .slice(0, -1)
      .map(({ effect }) => effect);
  const agree = (kind: "heuristic" | "llm") => ({ agreed: true, judge: { kind, id: "a" } });
  expect(listActions(agree("heuristic"), 21.42)).toEqual([]);
  expect(listActions({}, 0)).toEqual([]);
  expect(listActions(agree("llm"), 21.42)).toEqual([
    expect.stringMatching(/^The judge examines the agreed criteria.* \+21\.42 points/),
  ]);
});
