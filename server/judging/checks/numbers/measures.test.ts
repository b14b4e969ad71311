import { describe, expect, it } from "vitest";
import { dataAnswer } from "./data-answer";

const TABLE = `(in millions) | 2019 | 2018
Net sales | $ 1,250 | $ 1,000
Operating income | 300 | 220
Net income | 210 | 160
Total current assets | 640 | 500
Total current liabilities | 400 | 390`;
const PROSE = "Net sales: FY2019 $1,250; FY2018 $1,000\nOperating income: FY2019 $300; FY2018 $220";

const run = (question: string, text: string, data = TABLE) => {
  const task = `${data}\n\n${question}`;
  const [requirement] = dataAnswer.extract(task, "finance");
  if (!requirement) return undefined;
  return dataAnswer.run({ task, category: "finance", text }, requirement.parameters).outcome;
};

describe("financial measures", () => {
  it.each([
    ["What was the operating margin in 2019?", "24%", "22%"],
    ["What was the net profit margin in 2018?", "0.16", "0.168"],
    ["What is the current ratio as of December 31, 2019?", "1.60x", "1.28"],
    ["How much working capital did it have at the end of 2019?", "$240 million", "$110 million"],
    ["What was the cover (operating income divided by net income) in 2018?", "1.375", "1.43"],
    ["By how many percentage points did operating margin change from 2018 to 2019?", "2", "5"],
    [
      "What was the cover, defined as (net sales minus net income) / operating income, in 2019?",
      "3.47",
      "3.82",
    ],
  ])("%s", (question, right, wrong) => {
    expect([run(question, right), run(question, wrong)]).toEqual(["pass", "fail"]);
  });

  it("reads figures that sentences list by year", () => {
    const question = "What was the FY2018 operating margin?";
    expect([run(question, "22%", PROSE), run(question, "24%", PROSE)]).toEqual(["pass", "fail"]);
  });

  it.each([
    "What was the operating margin in 2017?",
    "What was the adjusted operating margin in 2019?",
    "Explain what the operating margin in 2019 means.",
    "What would the operating margin in 2019 be without net income?",
  ])("leaves open: %s", (question) => {
    expect(run(question, "1%") ?? "not-applicable").toBe("not-applicable");
  });
});
