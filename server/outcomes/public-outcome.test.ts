import { expect, test } from "vitest";
import { isClientConfirmed } from "./public-outcome";

test("a client confirms an outcome that it submitted or whose terms it signed", () => {
  expect(isClientConfirmed({ submittedBy: "requester", agreed: false })).toBe(true);
  expect(isClientConfirmed({ submittedBy: "contractor", agreed: true })).toBe(true);
  expect(isClientConfirmed({ submittedBy: "contractor", agreed: false })).toBe(false);
});
