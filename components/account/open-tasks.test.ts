import { describe, expect, test } from "vitest";
import type { Agreement } from "@/server/agreements/schema";
import type { Dispute } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { listTasks } from "./open-tasks";

const ME = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const terms = {
  disputeWindowMs: 60_000,
  responseWindowMs: 60_000,
  acceptsDisputes: true,
  disputeReview: "model",
} as const;

/** A paid failure of this agent, resolved half a minute ago. */
const failure = (change: Partial<PublicOutcome> = {}): PublicOutcome =>
  ({
    outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
    contractorAgentAddress: ME,
    requesterAgentAddress: OTHER,
    verdict: "FAILURE",
    finalVerdict: "FAILURE",
    judge: { kind: "llm" },
    paidUsdc: 5,
    resolvedAt: "2026-11-21T11:59:30.000Z",
    ...change,
  }) as PublicOutcome;

const dispute = (change: Partial<Dispute> = {}): Dispute =>
  ({
    disputeId: "7d1c9a52-3b0e-4f6a-8c2d-5e9f0a1b2c3d",
    phase: "awaiting-answer",
    expiresAt: "2026-11-21T12:00:10.000Z",
    stakes: [
      { walletAddress: ME, state: "none" },
      { walletAddress: OTHER, state: "held" },
    ],
    ...change,
  }) as Dispute;

const tasks = (outcomes: PublicOutcome[], disputes: Dispute[] = [], now = NOW) =>
  listTasks({ wallet: ME, outcomes, disputes, agreements: [], jobNames: {}, terms, now });

describe("the owner's tasks", () => {
  test("are disputes to answer and failures to dispute or refund, the next deadline first", () => {
    expect(tasks([failure()], [dispute()])).toMatchObject([
      { what: "Answer the dispute", until: "2026-11-21T12:00:10.000Z" },
      {
        what: "Failure: dispute or refund",
        until: "2026-11-21T12:00:30.000Z",
      },
    ]);
  });

  test("offer a refund only for a payment, and a dispute only once", () => {
    expect(tasks([failure({ paidUsdc: 0 })])).toMatchObject([{ what: "Failure: dispute" }]);
    const repeated = { agreed: true, judge: { kind: "heuristic", id: "a" } } as const;
    expect(tasks([failure({ paidUsdc: 0, ...repeated })])).toEqual([]);
    const disputed = failure({ disputeId: "7d1c9a52-3b0e-4f6a-8c2d-5e9f0a1b2c3d" });
    expect(tasks([disputed])).toMatchObject([{ what: "Failure: refund" }]);
  });

  test.each([
    ["a success", failure({ verdict: "SUCCESS", finalVerdict: "SUCCESS" })],
    ["a superseded failure", failure({ superseded: { by: "o2", status: "accepted" } })],
    ["an overturned failure", failure({ finalVerdict: "SUCCESS" })],
    [
      "another agent's failure",
      failure({ contractorAgentAddress: OTHER, requesterAgentAddress: ME }),
    ],
  ])("leave out %s", (_, outcome) => {
    expect(tasks([outcome])).toEqual([]);
  });

  test("end with their deadline", () => {
    const deadline = Date.parse("2026-11-21T12:00:30.000Z");
    expect(tasks([failure()], [], deadline - 1)).toHaveLength(1);
    expect(tasks([failure()], [], deadline)).toEqual([]);
  });

  test("leave out a dispute that the owner answered", () => {
    const answered = dispute({
      stakes: [{ walletAddress: ME, state: "held" }] as Dispute["stakes"],
    });
    expect(tasks([], [answered])).toEqual([]);
    expect(tasks([], [dispute({ phase: "in-review" })])).toEqual([]);
  });

  test.each([
    ["PROPOSED", "contractor", []],
    ["PROPOSED", "requester", [{ what: "Sign or decline", until: "2026-11-22T12:00:00Z" }]],
    ["AGREED", "contractor", [{ what: "Deliver", until: "2026-11-23T12:00:00Z" }]],
    ["DELIVERED", "requester", []],
  ] as const)(
    "include an agreement only while it waits for the owner: %s by the %s",
    (status, proposedBy, expected) => {
      const agreement = {
        status,
        proposedBy,
        terms: {
          contractor: ME,
          requester: OTHER,
          startBy: "2026-11-22T12:00:00Z",
          deliverBy: "2026-11-23T12:00:00Z",
        },
      } as Agreement;
      const facts = { wallet: ME, outcomes: [], disputes: [], jobNames: {}, terms, now: NOW };
      expect(listTasks({ ...facts, agreements: [agreement] })).toMatchObject(expected);
      expect(listTasks({ ...facts, wallet: OTHER, agreements: [agreement] })).toHaveLength(
        status === "PROPOSED" && proposedBy === "contractor" ? 1 : 0,
      );
    },
  );
});
