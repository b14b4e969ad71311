import { describe, expect, test } from "vitest";
import type { CheckResult } from "@/server/judging/checks/check";
import { NON_ANSWER_CHECKS } from "@/server/judging/checks/check-list";

const TASK = "Summarise the quarterly report for the board in plain words.";
const CODE_TASK = "Write a Python function that merges two sorted lists.";
const fence = (code: string, language = "python") => `\`\`\`${language}\n${code}\n\`\`\``;

function run(name: string, task: string, text: string): CheckResult["outcome"] {
  const check = NON_ANSWER_CHECKS.find((each) => each.name === name);
  const [requirement] = check?.extract(task, "content") ?? [];
  if (!check || "observe" in check || !requirement) return "not-applicable";
  return check.run({ task, category: "content", text }, {}).outcome;
}

describe("a cut-off text", () => {
  const paragraph =
    "Revenue rose in every region of the country. Costs fell because freight got cheaper.";

  test.each([
    `${paragraph}\n\nThe outlook for the next quarter is good because`,
    `${paragraph}\n\nThe board should look at three things in the next quarter and`,
    `${paragraph}\n\nIn summary, these are the points for the board:`,
    `${paragraph}\n\n${paragraph}\n\nThe outlook is good. We expect that sales in the north will rec`,
    `${paragraph}\n\n\`\`\`js\nfunction add(a, b) {\n  if (a > 1) {\n    return sum(a,`,
    '{"regions": [{"name": "North", "revenue": 12}, {"name": "South", "rev',
    "| Region | Revenue |\n|---|---|\n| North | 12 |\n| South | 1",
  ])("%j", (text) => expect(run("cut-off", TASK, text)).toBe("fail"));

  test.each<[string, string, string]>([
    ["a finished text", TASK, paragraph],
    [
      "a list at the end",
      TASK,
      `${paragraph}\n\n- sales in the north and\n- costs of freight by road and the`,
    ],
    [
      "a figure at the end",
      TASK,
      `${paragraph}\n\n${paragraph}\n\nTotal revenue of all regions: 12.1 million USD`,
    ],
    [
      "a signature",
      "Write a letter.",
      `Dear board,\n\n${paragraph}\n\nBest regards,\nThe finance team`,
    ],
    [
      "a poem",
      "Write a poem about rain.",
      "The rain falls softly on the lane and\nthe day goes on and on and on and",
    ],
    [
      "a prescribed ending",
      "Write a note and finish it with the words to be seen or the",
      `${paragraph}\n\nThere is much to be seen or the`,
    ],
    ["code", CODE_TASK, fence("def merge(a, b):\n    return sorted(a + b)")],
    [
      "code without its last fence",
      CODE_TASK,
      "```python\ndef merge(a, b):\n    return sorted(a + b)",
    ],
    ["JSON", TASK, '[{"region": "North :-("}]'],
    ["a table", TASK, "| Region | Revenue |\n|---|---|\n| North | 12 |"],
  ])("is not %s", (_, task, text) => expect(run("cut-off", task, text)).not.toBe("fail"));
});
