import { describe, expect, test } from "vitest";
import type { Agreement } from "@/server/agreements/schema";
import { REPORT_DELAY_MS } from "@/server/outcomes/periods";
import { describeEnd, describeState, getNextStep } from "./next-step";

const START_BY = "2026-11-25T12:00:00.000Z";
const DELIVER_BY = "2026-12-01T12:00:00Z";

const agreement = (status: Agreement["status"]) => ({
  status,
  proposedBy: "requester" as const,
  paidAt: null,
  refundTxHash: null,
  terms: {
    payment: "on-delivery" as const,
    valueMicro: "1",
    startBy: START_BY,
    deliverBy: DELIVER_BY,
  },
});

function describeAt(status: Agreement["status"], now: number) {
  const ended = agreement(status);
  const step = getNextStep(ended, now);
  return [describeState(ended, step, "contractor"), describeState(ended, step, "requester")];
}

describe("the next step of an agreement", () => {
  test("is the other party's signature until the proposal ends", () => {
    const end = Date.parse(START_BY);
    expect(getNextStep(agreement("PROPOSED"), end - 1)).toEqual({
      step: "sign",
      party: "contractor",
      until: START_BY,
    });
    expect(describeAt("PROPOSED", end - 1)).toEqual(["Sign by Nov 25, 2026", "Awaiting signature"]);
    expect(describeAt("PROPOSED", end)).toEqual(["Not started in time", "Not started in time"]);
  });

  test("is the payment of upfront terms until they are paid", () => {
    const { terms, ...agreed } = agreement("AGREED");
    const upfront = { ...agreed, terms: { ...terms, payment: "upfront" as const } };
    const now = Date.parse(START_BY) - 1;
    const step = getNextStep(upfront, now);
    expect(step).toEqual({ step: "pay", party: "requester", until: START_BY });
    expect(describeState(upfront, step, "contractor")).toBe("Awaiting payment");
    expect(getNextStep({ ...upfront, paidAt: START_BY }, now).step).toBe("deliver");
    const free = { ...upfront, terms: { ...upfront.terms, valueMicro: "0" } };
    expect(getNextStep(free, now).step).toBe("deliver");
  });

  test("is the delivery until the deadline, and a minute later the report", () => {
    const deadline = Date.parse(DELIVER_BY);
    expect(describeAt("AGREED", deadline - 1)).toEqual([
      "Deliver by Dec 1, 2026",
      "Awaiting delivery",
    ]);
    const passed = ["Deadline passed", "Deadline passed"];
    expect(describeAt("AGREED", deadline)).toEqual(passed);
    expect(describeAt("AGREED", deadline + REPORT_DELAY_MS - 1)).toEqual(passed);
    expect(describeAt("AGREED", deadline + REPORT_DELAY_MS)).toEqual([
      "Deadline passed",
      "Report non-delivery",
    ]);
  });

  test.each(["DELIVERED", "NOT_DELIVERED", "DECLINED", "CANCELLED", "EXPIRED", "LAPSED"] as const)(
    "is nothing after %s",
    (status) => {
      expect(getNextStep(agreement(status), 0)).toMatchObject({ step: "nothing", party: null });
    },
  );

  test("says whether a refund ended the agreement", () => {
    expect(describeAt("CANCELLED", 0)).toEqual(["Cancelled", "Cancelled"]);
    expect(describeEnd({ status: "CANCELLED", refundTxHash: "0x12" })).toBe("Refunded");
  });
});
