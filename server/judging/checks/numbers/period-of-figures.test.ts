import { describe, expect, it } from "vitest";
import { periodOfFigures } from "./period-of-figures";

const YEARS = "(in millions) | 2019 | 2018\nNet sales | 1,253 | 1,017\nNet income | 214 | 166";
const run = (question: string, text: string) => {
  const task = `${YEARS}\n\n${question}`;
  const [requirement] = periodOfFigures.extract(task, "finance");
  if (!requirement) return undefined;
  return periodOfFigures.run({ task, category: "finance", text }, {}).outcome;
};

describe("periods of figures", () => {
  it.each([
    ["What was the tax burden in 2019?", "1,253 less 214 is 1,039", "1,017 less 166 is 851"],
    ["What part of sales was income in 2018?", "166 / 1,017 = 16.3%", "214 / 1,017 = 21.0%"],
  ])("%s", (question, right, wrong) => {
    expect([run(question, right), run(question, wrong)]).toEqual(["pass", "fail"]);
  });

  it.each([
    "What was net income in 2019 compared to the prior year?",
    "What will net sales be if they grow as in 2019?",
    "What were net sales?",
  ])("leaves open: %s", (question) => {
    expect(run(question, "1,017")).toBeUndefined();
  });

  it("accepts figures of the year before for a change", () => {
    expect(run("How much did net sales grow in 2019?", "1,253 − 1,017 = 236")).toBe("pass");
  });
});
