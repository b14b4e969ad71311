import { describe, expect, test } from "vitest";
import { NUMBER_FORMAT } from "./number-format-check";

const findStyles = (task: string) =>
  NUMBER_FORMAT.extract(task, "content").map(({ parameters }) => parameters.style);

describe("a style of numbers", () => {
  test.each([
    ["Use a comma as thousands separator.", "comma between thousands"],
    ["List the sums, with commas for thousands.", "comma between thousands"],
    ["Use a comma as the decimal separator.", "decimal comma"],
    ["State the opening hours in 24-hour time.", "24-hour time"],
    ["Give all times in the 24-hour format.", "24-hour time"],
    ["Use the 12-hour clock.", "12-hour time"],
    ["Prefix every amount with the euro sign.", "euro sign"],
    ["Put a dollar sign before each price.", "dollar sign"],
    ["Show prices with the £ symbol.", "pound sign"],
  ])("is demanded: %s", (task, style) => expect(findStyles(task)).toEqual([style]));

  test.each([
    "Explain why the French use a decimal comma.",
    "Do not use the euro sign.",
    "Write a Python function that prints numbers with commas for thousands.",
    "Our gym has a 24-hour service desk.",
    "Use either the euro sign or the code EUR.",
  ])("is not demanded: %s", (task) => expect(findStyles(task)).toEqual([]));

  test.each([
    ["comma between thousands", "€1,250,000 and €980,000", "pass"],
    ["comma between thousands", "€1250000 and €980000", "fail"],
    ["comma between thousands", "In 2024 we sold 950.", "not-applicable"],
    ["decimal comma", "8,0 km", "pass"],
    ["decimal comma", "8.0 km", "fail"],
    ["24-hour time", "Mon 08:00-18:30", "pass"],
    ["24-hour time", "Mon 8:00 am-6:30 pm", "fail"],
    ["12-hour time", "From 9 am to 1 pm", "pass"],
    ["12-hour time", "From 09:00 to 18:30", "fail"],
    ["euro sign", "€40 or 40 €", "pass"],
    ["euro sign", "EUR 40", "fail"],
  ] as const)("%s: %s", (style, text, outcome) => {
    expect(NUMBER_FORMAT.run({ task: "", category: "content", text }, { style }).outcome).toBe(
      outcome,
    );
  });
});
