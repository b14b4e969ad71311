import { expect, test } from "vitest";
import { summarizeConfirmed } from "./check-agents";

const claimed = {
  submittedBy: "contractor",
  agreed: false,
  outcomes: 4,
  micro: "80000000",
} as const;
const confirmed = {
  submittedBy: "requester",
  agreed: false,
  outcomes: 8,
  micro: "260500000",
} as const;

test("an outcome that its client submitted is confirmed, others are only claimed", () => {
  expect(summarizeConfirmed([claimed, confirmed])).toEqual({
    outcomes: 8,
    usdc: 260.5,
    paidOutcomes: 12,
    paidUsdc: 340.5,
    summary:
      "Clients confirmed 8 of 12 paid outcomes (260.50 of 340.50 USDC). Only the agent says what the other payments were for.",
  });
});

test("nothing is left to the agent's word if clients confirmed everything, or nothing was paid", () => {
  expect(summarizeConfirmed([confirmed]).summary).toBe(
    "Clients confirmed 8 of 8 paid outcomes (260.50 of 260.50 USDC).",
  );
  const signed = { ...claimed, agreed: true };
  expect(summarizeConfirmed([signed]).summary).toBe(
    "Clients confirmed 4 of 4 paid outcomes (80.00 of 80.00 USDC).",
  );
  expect(summarizeConfirmed([])).toMatchObject({ outcomes: 0, usdc: 0, paidOutcomes: 0 });
});
