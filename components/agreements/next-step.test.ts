import { describe, expect, test } from "vitest";
import { REPORT_DELAY_MS, REPORT_WITHIN_MS } from "@/server/agreements/periods";
import type { Agreement } from "@/server/agreements/schema";
import { describeState, describeTurn, getNextStep } from "./next-step";

const START_BY = "2026-11-25T12:00:00.000Z";
const DELIVER_BY = "2026-12-01T12:00:00Z";

type Outcome = Parameters<typeof getNextStep>[1];

const agreement = (status: Agreement["status"]) => ({
  status,
  proposedBy: "requester" as const,
  paidAt: null,
  endedAt: null,
  refundTxHash: null,
  settledAt: null,
  deliveryPaymentTxHash: null,
  cancellationRequestedBy: null,
  terms: {
    payment: "on-delivery" as const,
    valueMicro: "2500000",
    startBy: START_BY,
    deliverBy: DELIVER_BY,
  },
});

function describeAt(status: Agreement["status"], now: number, outcome: Outcome = null) {
  const ended = agreement(status);
  const step = getNextStep(ended, outcome, now);
  const states = (["contractor", "requester"] as const).map((role) =>
    describeState(ended, step, role),
  );
  return [...states, step.deadline];
}

describe("the next step of an agreement", () => {
  test("is the other party's signature until the proposal ends", () => {
    const end = Date.parse(START_BY);
    expect(getNextStep(agreement("PROPOSED"), null, end - 1)).toMatchObject({
      step: "sign",
      party: "contractor",
      until: START_BY,
    });
    const days = 2 * 86_400_000;
    expect(describeAt("PROPOSED", end - days)).toEqual([
      "Sign or decline",
      "Awaiting signature",
      "Nov 25, 2026",
    ]);
    expect(describeAt("PROPOSED", end - days + 1)).toEqual([
      "Sign or decline",
      "Awaiting signature",
      "Nov 25, 2026, 12:00 PM UTC",
    ]);
    const late = "Not started in time";
    expect(describeAt("PROPOSED", end)).toEqual([late, late, null]);
  });

  test("is the payment of upfront terms until they are paid", () => {
    const { terms, ...agreed } = agreement("AGREED");
    const upfront = { ...agreed, terms: { ...terms, payment: "upfront" as const } };
    const now = Date.parse(START_BY) - 1;
    const step = getNextStep(upfront, null, now);
    expect(step).toMatchObject({ step: "pay", party: "requester", until: START_BY });
    expect(describeState(upfront, step, "contractor")).toBe("Awaiting payment");
    expect(getNextStep({ ...upfront, paidAt: START_BY }, null, now).step).toBe("deliver");
    const free = { ...upfront, terms: { ...upfront.terms, valueMicro: "0" } };
    expect(getNextStep(free, null, now).step).toBe("deliver");
  });

  test("is the funding of an escrow, then the delivery and its submission to the escrow", () => {
    const { terms, ...agreed } = agreement("AGREED");
    const escrow = { ...agreed, terms: { ...terms, payment: "escrow" as const } };
    const now = Date.parse(START_BY) - 1;
    const step = getNextStep(escrow, null, now);
    expect(step).toMatchObject({ step: "fund", party: "requester", until: START_BY });
    expect(describeState(escrow, step, "contractor")).toBe("Awaiting funding");
    const funded = { ...escrow, paidAt: START_BY };
    expect(getNextStep(funded, null, now).step).toBe("deliver");

    const delivered = { ...funded, status: "DELIVERED" as const, endedAt: START_BY };
    const hour = Date.parse(START_BY) + 3_600_000;
    expect(getNextStep(delivered, {}, now)).toMatchObject({ step: "submit", party: "contractor" });
    expect(getNextStep(delivered, {}, hour - 1).until).toBe(new Date(hour).toISOString());
    expect(getNextStep(delivered, {}, hour).until).toBeNull();
    const recorded = { finalVerdict: "SUCCESS", resolvedAt: DELIVER_BY } as const;
    expect(getNextStep(delivered, recorded, hour).step).toBe("nothing");
    // Recorded as unpaid after an hour, it is still paid.
    expect(getNextStep(delivered, recorded, hour, { status: "funded" }).step).toBe("submit");
    expect(getNextStep(delivered, recorded, hour, null).step).toBe("submit");
    expect(getNextStep(delivered, {}, now, { status: "submitted" }).step).toBe("nothing");
    const failed = { ...recorded, finalVerdict: "FAILURE" } as const;
    expect(getNextStep(delivered, failed, hour, { status: "funded" }).step).toBe("nothing");
    expect(getNextStep({ ...delivered, paidAt: null }, {}, now).step).toBe("nothing");
  });

  test("is the delivery until the deadline, and a minute later the report", () => {
    const deadline = Date.parse(DELIVER_BY);
    expect(describeAt("AGREED", deadline - 1)).toEqual([
      "Deliver",
      "Awaiting delivery",
      "Dec 1, 2026, 12:00 PM UTC",
    ]);
    const passed = ["Deadline passed", "Deadline passed", null];
    expect(describeAt("AGREED", deadline)).toEqual(passed);
    expect(describeAt("AGREED", deadline + REPORT_DELAY_MS - 1)).toEqual(passed);
    expect(describeAt("AGREED", deadline + REPORT_DELAY_MS)).toEqual([
      "Deadline passed",
      "Report non-delivery",
      "Dec 31, 2026",
    ]);
    expect(getNextStep(agreement("AGREED"), null, deadline + REPORT_WITHIN_MS).until).toBeNull();
  });

  test("is the payment of delivered work that succeeded, also when it is overdue", () => {
    const outcome = {
      finalVerdict: "SUCCESS",
      assessed: true,
      resolvedAt: "2026-11-27T12:00:00Z",
    } as const;
    const due = Date.parse("2026-12-04T12:00:00Z");
    const week = 7 * 86_400_000;
    expect(describeAt("DELIVERED", due - week, outcome)).toEqual([
      "Awaiting payment",
      "Pay 2.50 USDC",
      "Dec 4, 2026",
    ]);
    expect(describeAt("DELIVERED", due, outcome).slice(1)).toEqual(["Pay 2.50 USDC", null]);
    const { terms, ...delivered } = agreement("DELIVERED");
    const payment = "upfront" as const;
    for (const [paid, judged] of [
      [{ settledAt: START_BY, terms }, outcome],
      [{ deliveryPaymentTxHash: "0x12", terms }, outcome],
      [{ terms: { ...terms, payment } }, outcome],
      [{ terms: { ...terms, valueMicro: "0" } }, outcome],
      [{ terms }, { ...outcome, finalVerdict: "FAILURE" as const }],
      [{ terms }, { ...outcome, assessed: false }],
      [{ terms }, { ...outcome, disputeId: "d" }],
    ] as const) {
      expect(getNextStep({ ...delivered, ...paid }, judged, due - week).step).toBe("nothing");
    }
  });

  test("is nothing once the payment is known, which both are shown", () => {
    const delivered = agreement("DELIVERED");
    for (const [known, state] of [
      [{ deliveryPaymentTxHash: "0x12", settledAt: START_BY }, "Paid"],
      [{ settledAt: START_BY }, "Payment confirmed"],
      [{}, "Delivered"],
    ] as const) {
      const paid = { ...delivered, ...known };
      expect(describeState(paid, getNextStep(paid, null, 0), "requester")).toBe(state);
    }
  });

  test.each(["DELIVERED", "NOT_DELIVERED", "DECLINED", "CANCELLED", "EXPIRED", "LAPSED"] as const)(
    "is nothing after %s",
    (status) => {
      expect(getNextStep(agreement(status), null, 0)).toMatchObject({
        step: "nothing",
        party: null,
      });
    },
  );

  test("says whether a refund ended the agreement", () => {
    expect(describeAt("CANCELLED", 0)).toEqual(["Cancelled", "Cancelled", null]);
    const refunded = { ...agreement("CANCELLED"), refundTxHash: `0x${"12".repeat(32)}` as const };
    expect(describeState(refunded, getNextStep(refunded, null, 0), "requester")).toBe("Refunded");
  });
});

describe("the state line of an agreement", () => {
  const before = Date.parse(START_BY) - 1;
  const overdue = Date.parse(DELIVER_BY) + REPORT_DELAY_MS;
  const success = { finalVerdict: "SUCCESS", assessed: true, resolvedAt: DELIVER_BY } as const;
  const failure = { ...success, finalVerdict: "FAILURE" } as const;

  test.each([
    [
      {},
      null,
      before,
      "Signed by the client. Your turn: sign or decline by Nov 25, 2026, 12:00 PM UTC",
      "Signed by you. Waiting for the contractor to sign or decline by Nov 25, 2026, 12:00 PM UTC",
    ],
    [
      { status: "AGREED" },
      null,
      before,
      "Both have signed. Your turn: deliver by Dec 1, 2026",
      "Both have signed. Waiting for the contractor to deliver by Dec 1, 2026",
    ],
    [
      { status: "AGREED", cancellationRequestedBy: "requester" },
      null,
      before,
      "The client asks to cancel. Your turn: deliver by Dec 1, 2026",
      "The client asks to cancel. Waiting for the contractor to deliver by Dec 1, 2026",
    ],
    [
      { status: "AGREED" },
      null,
      overdue,
      "Nothing was delivered in time. Waiting for the client to report non-delivery by Dec 31, 2026",
      "Nothing was delivered in time. Your turn: report non-delivery by Dec 31, 2026",
    ],
    [
      { status: "DELIVERED" },
      {},
      before,
      "Delivered. The verdict follows, usually within a minute",
      "Delivered. The verdict follows, usually within a minute",
    ],
    [
      { status: "DELIVERED" },
      success,
      overdue,
      "Waiting for the client to pay 2.50 USDC by Dec 8, 2026",
      "Your turn: pay 2.50 USDC by Dec 8, 2026",
    ],
    [
      { status: "DELIVERED" },
      success,
      overdue + 8 * 86_400_000,
      "Waiting for the client to pay 2.50 USDC, which is overdue",
      "Your turn: pay 2.50 USDC, which is overdue",
    ],
    [{ status: "DELIVERED" }, failure, overdue, "Nothing is owed", "Nothing is owed"],
    [
      { status: "NOT_DELIVERED" },
      failure,
      overdue,
      "Nothing was delivered in time",
      "Nothing was delivered in time",
    ],
    [
      { status: "DECLINED" },
      null,
      before,
      "Declined. It doesn't count",
      "Declined. It doesn't count",
    ],
  ] as const)(
    "says what happened, whose turn it is and until when: %j",
    (change, outcome, now, contractor, requester) => {
      const facts = { ...agreement("PROPOSED"), ...change };
      const next = getNextStep(facts, outcome, now);
      expect(describeTurn(facts, outcome, next, "contractor")).toBe(contractor);
      expect(describeTurn(facts, outcome, next, "requester")).toBe(requester);
    },
  );
});
