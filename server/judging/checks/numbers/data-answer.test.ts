import { describe, expect, it } from "vitest";
import { dataAnswer } from "./data-answer";

const TABLE = `(in millions) | 2019 | 2018 | 2017
Net sales | $ 1,250 | $ 1,000 | $ 960
Cost of sales | 800 | 650 | 610
Operating income | 300 | 240 | 250
Net income | 210 | 160 | 170
Total assets | 5,000 | 4,400 | 4,200`;

const ask = (question: string, data = TABLE) => `${data}\n\nQuestion: ${question}`;
const operations = (task: string) =>
  dataAnswer.extract(task, "finance").map(({ parameters }) => parameters.operation);
const run = (task: string, text: string) => {
  const [requirement] = dataAnswer.extract(task, "finance");
  if (!requirement) return undefined;
  return dataAnswer.run({ task, category: "finance", text }, requirement.parameters).outcome;
};

describe("questions about data", () => {
  it.each([
    ["percent-change", "What was the percentage change in net sales from 2018 to 2019?"],
    ["percent-change", "by what percentage did net sales increase between 2018 and 2019?"],
    ["percent-change", "What is the growth rate of net sales in 2019?"],
    ["percent-change", "How much did net sales grow in percentage terms from 2017 to 2019?"],
    ["percent-change", "Calculate the year-over-year growth in net sales for 2019."],
    ["percent-change", "What was the change in net sales from 2018 to 2019, as a percentage?"],
    ["percent-change", "what percent did net income rise from 2018 to 2019?"],
    ["growth-rate", "What was the CAGR of net sales from 2017 to 2019?"],
    ["point-change", "What was the change in percentage points?"],
    ["share", "What percentage of net sales was cost of sales in 2019?"],
    ["share", "What was net income as a percent of net sales in 2018?"],
    ["share", "what portion of total assets is net income in 2019?"],
    ["ratio", "What is the ratio of net income to net sales in 2019?"],
    ["average", "What was the average net income for 2018 and 2019?"],
    ["sum", "What is the sum of net income in 2018 and 2019?"],
    ["sum", "What were cost of sales and operating income combined in 2019?"],
    ["difference", "What was the change in net sales from 2018 to 2019?"],
    ["difference", "By how much did net income increase from 2018 to 2019?"],
    ["difference", "How much higher was net sales than cost of sales in 2019?"],
    ["value", "What was net income in 2018?"],
    ["value", "What were total assets in 2019?"],
    ["value", "How much was the net income for fiscal 2017?"],
  ] as const)("asks for %s: %s", (operation, question) => {
    expect(operations(ask(question))).toEqual([operation]);
  });

  it.each([
    "Why did net sales increase from 2018 to 2019?",
    "Which year had the highest net income?",
    "Describe the change in net sales.",
    "Write a summary of the table in three sentences.",
  ])("does not ask for a figure: %s", (question) => {
    expect(operations(ask(question))).toEqual([]);
  });
});

const CASES: [question: string, right: string[], wrong: string[]][] = [
  [
    "What was the percentage change in net sales from 2018 to 2019?",
    [
      "25%",
      "25.0 percent",
      "0.25",
      "Sales rose from $1,000 to $1,250 million, so by 25%.",
      "**Answer: 25%**",
    ],
    [
      "20%",
      "30.2%",
      "23.1%",
      "250%",
      "Sales rose from $1,000 to $1,250 million. The answer is 20%.",
      "31.3%",
    ],
  ],
  [
    "What was the change in operating income from 2017 to 2018?",
    ["-10", "It fell by $10 million.", "$(10) million", "-$10,000,000", "It decreased by 4%."],
    ["$60 million", "490", "$12 million"],
  ],
  [
    "What is the ratio of net income to net sales in 2019?",
    ["0.168", "0.17", "16.8%"],
    ["5.95", "0.15", "0.042"],
  ],
  [
    "What percentage of net sales was cost of sales in 2018?",
    ["65%", "0.65"],
    ["153.8%", "64%", "13%"],
  ],
  [
    "What was the average net income from 2017 to 2019?",
    ["180", "$180 million"],
    ["190", "185", "540"],
  ],
  ["What was the total net income for 2018 and 2019?", ["370", "$0.37 billion"], ["540", "380"]],
  [
    "What were total assets in 2018?",
    ["$4,400 million", "4.4 billion"],
    ["5,000", "4,200", "4,450"],
  ],
  [
    "What were net sales in 2019, 2018 and 2017 respectively?",
    ["$1,250, $1,000 and $960 million"],
    ["$1,250, $1,050 and $960 million"],
  ],
  ["What was the CAGR of net sales from 2017 to 2019?", ["14.1%"], ["30.2%", "15.1%"]],
];

describe("answers from data", () => {
  it.each(CASES.flatMap(([question, right]) => right.map((text) => [question, text] as const)))(
    "%s %s is right",
    (question, text) => {
      expect(run(ask(question), text)).toBe("pass");
    },
  );

  it.each(CASES.flatMap(([question, , wrong]) => wrong.map((text) => [question, text] as const)))(
    "%s %s is wrong",
    (question, text) => {
      expect(run(ask(question), text)).toBe("fail");
    },
  );

  it.each([
    [
      "several steps",
      "If net sales grow as from 2018 to 2019, what will they be in 2020?",
      "1,562.5",
    ],
    [
      "a second operation",
      "What was the difference between the percentage change in net sales and in net income from 2018 to 2019?",
      "-6.25%",
    ],
    [
      "a figure that must be derived",
      "What was the percentage change in other operating expenses from 2018 to 2019?",
      "36.4%",
    ],
    [
      "a measure whose name contains a label",
      "What was the change in adjusted net income from 2018 to 2019?",
      "77",
    ],
    [
      "more than the figure",
      "What was net income in 2018, and did it rise in 2019?",
      "It did, by a third.",
    ],
    ["a measure that the table lacks", "What was the quick ratio in 2019?", "1.15"],
    ["a part that the table lacks", "What were net sales in Europe in 2019?", "312"],
    ["a year that the table lacks", "What was net income in 2016?", "140"],
    ["no figure", "What was net income in 2018?", "It was in line with the plan."],
  ])("leaves open a question about %s", (_, question, text) => {
    expect(run(ask(question), text) ?? "not-applicable").toBe("not-applicable");
  });

  it("uses figures that sentences give by year", () => {
    const task = ask(
      "What was the percentage change in revenue from 2018 to 2019?",
      "Acme had revenue of $5.2 million in 2018 and $6.1 million in 2019. Net income was $0.4 million in 2018 and $0.7 million in 2019.",
    );
    expect(run(task, "17.3%")).toBe("pass");
    expect(run(task, "75%")).toBe("fail");
  });

  it("reads years in rows, and quarters in columns", () => {
    const years = "Year | Revenue | Income\n2018 | 4850 | 610\n2019 | 6210 | 990";
    const quarters = "Segment | Q1 2023 | Q2 2023\nCloud | 410 | 455\nDevices | 220 | 210";
    const byYear = ask("What was the percentage change in revenue from 2018 to 2019?", years);
    const byQuarter = ask("What was the growth rate of Cloud from Q1 2023 to Q2 2023?", quarters);
    expect([run(byYear, "28.0%"), run(byYear, "21.9%")]).toEqual(["pass", "fail"]);
    expect([run(byQuarter, "11.0%"), run(byQuarter, "9.9%")]).toEqual(["pass", "fail"]);
  });

  it("distinguishes equal labels by their section", () => {
    const data = "| 2019 | 2018\nEquity | |\nForeign | 45 | 37\nDebt | |\nForeign | 23 | 20";
    const task = ask("What was foreign debt in 2019?", data);
    expect([run(task, "23"), run(task, "45")]).toEqual(["pass", "fail"]);
  });

  it("fails a change that is stated in the wrong direction", () => {
    const task = ask("What was the percentage change in operating income from 2017 to 2018?");
    expect(run(task, "Operating income fell by 4%.")).toBe("pass");
    expect(run(task, "Operating income grew by 4%.")).toBe("fail");
  });

  it("describes the requirement without figures or words of the task", () => {
    expect(dataAnswer.describe({ operation: "percent-change", question: 1 })).toBe(
      "Answers with the percentage change that follows from the task's data",
    );
  });
});
