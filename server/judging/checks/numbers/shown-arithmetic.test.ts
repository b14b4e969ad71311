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
    table("£k | ", "Rent | 24", "Wages | 81", "Other | 6", "Total | 112"),
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
    [
      "parts of parts",
      table("Item | €", "Sales | 90", "of which web | 30", "Fees | 9", "Total | 99"),
    ],
    ["text without figures", "Everything adds up."],
  ])("does not check %s", (_, text) => {
    expect(run(text).outcome).toBe("not-applicable");
  });

  it("leaves a total alone that the task gives", () => {
    const text = table("Item | Amount", "A | 100", "B | 250", "Total | 1,900");
    expect(run(text, "Of the total of 1,900, list A and B.").outcome).toBe("not-applicable");
    expect(run(text, "Of the total of 1,900k, list A and B.").outcome).toBe("not-applicable");
    expect(run(text).outcome).toBe("fail");
  });

  it.each([
    ["5 + 6 + 7 + 8 = 27.", "1 of 1 calculation is wrong: a sum of four figures"],
    ["9 - 2 = 6.", "1 of 1 calculation is wrong: a difference of two figures"],
    ["120 / 4 = 40.", "1 of 1 calculation is wrong: a quotient of two figures"],
    ["2 + 3 x 4 = 15.", "1 of 1 calculation is wrong: a calculation of three figures"],
    [
      table("Item | Amount", "A | 100", "B | 250", "Total | 360"),
      "1 of 1 calculation is wrong: a total in a table",
    ],
  ])("describes in public what is wrong: %s", (text, observed) => {
    expect(run(text).observed).toBe(observed);
  });

  it("names only privately which calculation is wrong", () => {
    const result = run("12 x 3 = 38, and 5 + 5 = 10.");
    expect(result.observed).toBe("1 of 2 calculations is wrong: a product of two figures");
    expect(result.detail).toBe("12 x 3 = 38: computed 36");
    expect(result.passages).toEqual([{ from: 0, to: 11 }]);
  });
});
