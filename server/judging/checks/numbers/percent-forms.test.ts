import { describe, expect, it } from "vitest";
import { findPercentForms } from "./shown-arithmetic";

const judge = (text: string) => findPercentForms(text).map(({ isRight }) => isRight);

describe("findPercentForms", () => {
  it.each([
    "2.8 / 8 = 0.35 = **35%**",
    "1,577 / 32,765 = 0.0481 or 4.8%.",
    "21 ÷ 200 ≈ 0.105 (10.5%)",
  ])("finds %s right", (text) => expect(judge(text)).toEqual([true]));

  it.each([
    "2.8 / 8 = 0.35 = **3.5%**",
    "1,577 / 32,765 = 0.0481 or 8.4%.",
    "21 ÷ 200 ≈ 0.105 (15.0%)",
  ])("finds %s wrong", (text) => expect(judge(text)).toEqual([false]));

  it.each([
    "3.05 − 2.95 = 0.10 (3.4%)",
    "The dividend rose by $0.10, or 3.4%.",
    "1 / 2 = 0.62 (95% CI 0.5 to 0.7)",
    "1 − 0.9 × 0.95 = 14.5%",
  ])("leaves out %s", (text) => expect(judge(text)).toEqual([]));
});
