import { describe, expect, it } from "vitest";
import { shownArithmetic } from "./shown-arithmetic";

const run = (text: string, task = "") =>
  shownArithmetic.run({ task, category: "finance", text }, {});
const table = (head: string, ...rows: string[]) =>
  [head, head.replace(/[^|]+/g, "---"), ...rows].map((row) => `| ${row} |`).join("\n");

describe("shown arithmetic", () => {
  it.each([
    "15% of 200 = 30.",
    table("Item | Amount", "A | 100", "B | 250", "Total | 350"),
    table(
      "Item | Qty | Price | Amount",
      "A | 1 | 100 | 100",
      "B | 2 | 125 | 250",
      "**Total** | 3 | | **350**",
    ),
    table("Asset | Weight", "A | 33.3%", "B | 33.3%", "C | 33.3%", "Total | 100%"),
    table("Truck | Orders", "1 | 6 + 7 = 13", "2 | 8 + 9 = 17", "Total | 30"),
  ])("passes %s", (text) => {
    expect(run(text).outcome).toBe("pass");
  });

  it.each([
    "15% of 200 = 35.",
    "12 times 3 = 38.",
    table("Item | Amount", "A | 100", "B | 250", "Total | 360"),
    table("Asset | Weight", "A | 60%", "B | 30%", "Total | 100%"),
  ])("fails %s", (text) => {
    expect(run(text).outcome).toBe("fail");
  });

  it.each([
    ["an average", table("Item | Score", "A | 100", "B | 250", "Total | 175")],
    ["a column of rates", table("Loan | Rate", "A | 4%", "B | 5%", "Total | 4.6%")],
    ["a subtotal", table("Item | Amount", "A | 100", "Subtotal | 100", "B | 250", "Total | 350")],
    ["text without figures", "Everything adds up."],
  ])("does not check %s", (_, text) => {
    expect(run(text).outcome).toBe("not-applicable");
  });

  it("leaves a total alone that the task gives", () => {
    const text = table("Item | Amount", "A | 100", "B | 250", "Total | 1,900");
    expect(run(text, "Of the total of 1,900, list A and B.").outcome).toBe("not-applicable");
    expect(run(text).outcome).toBe("fail");
  });

  it("says publicly only how many calculations there are, and privately which", () => {
    const result = run("12 x 3 = 38, and 5 + 5 = 10.");
    expect(result.observed).toBe("2 calculations recomputed, 1 wrong");
    expect(result.detail).toBe("12 x 3 = 38: computed 36");
    expect(result.passages).toEqual([{ from: 0, to: 11 }]);
  });
});
