import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CheckResult } from "@/server/judging/checks/check";
import { FORMAT_CHECKS } from "@/server/judging/checks/check-list";

const NOTHING: CheckResult = { outcome: "not-applicable", observed: "nothing extracted" };

/** Runs the requirements of one check that a task states; the first one decides. */
function run(check: string, task: string, text: string): CheckResult {
  const found = FORMAT_CHECKS.find(({ name }) => name === check);
  const [requirement] = found?.extract(task, "content") ?? [];
  if (!found || "observe" in found || !requirement) return NOTHING;
  return found.run(
    { task, category: "content", text },
    found.parameters.parse(requirement.parameters),
  );
}

const fence = (code: string, language = "") => `\`\`\`${language}\n${code}\n\`\`\``;
const TABLE = "| City | Population |\n|---|--:|\n| Oslo | 700,000 |\n| Bergen | 290,000 |";

describe("results of format checks", () => {
  test.each<[string, string, string, CheckResult["outcome"]]>([
    ["json", "Return the result as JSON.", '{"a":1}', "pass"],
    ["json", "Return the result as JSON.", `Here it is:\n${fence('{"a":1}', "json")}`, "pass"],
    ["json", "Return the result as JSON.", "Here it is: [1, 2] as asked.", "pass"],
    ["json", "Return the result as JSON.", '{"a":1}\n{"a":2}', "pass"],
    ["json", "Return the result as JSON.", "{'a': 1,}", "fail"],
    ["json", "Return the result as JSON.", '{"a": 1, // one\n "b": 2}', "fail"],
    ["json", "Return the result as JSON.", "The result is one.", "fail"],
    ["json", "Return only JSON.", fence('{"a":1}', "json"), "pass"],
    ["json", "Return only JSON.", `Sure!\n${fence('{"a":1}')}`, "fail"],
    ["json", "Your entire response must be JSON.", 'Here: {"a":1}', "fail"],
    ["json", "Return a JSON array.", '{"a":1}', "fail"],
    ["json", "Return a JSON array.", '[{"a":1}]', "pass"],
    ["csv", "Provide the rows as CSV.", 'a,b\n1,"x, y"\n', "pass"],
    ["csv", "Provide the rows as CSV.", `Here:\n${fence("a,b\n1,2", "csv")}\nDone.`, "pass"],
    ["csv", "Provide the rows as CSV.", "The rows:\na,b\n1,2\n3,4\nThat is all, really.", "pass"],
    ["csv", "Provide the rows as CSV.", "There were two rows.\nBoth were fine.", "fail"],
    ["csv", "Provide the rows as CSV.", fence("a,b,c\n1,2,3\n4,5,6,7"), "fail"],
    ["csv", "Return only CSV.", "Here you are:\n\na,b\n1,2", "fail"],
    ["csv", "Return the data as TSV.", "a\tb\n1\t2", "pass"],
    ["csv", "Return the data as TSV.", "a,b\n1,2", "fail"],
    ["table", "Present the cities in a table.", TABLE, "pass"],
    [
      "table",
      "Present the cities in a table.",
      "City      Population\nOslo      700,000\nBergen    290,000",
      "pass",
    ],
    ["table", "Present the cities in a table.", "<table><tr><th>City</th></tr></table>", "pass"],
    ["table", "Present the cities in a table.", "Oslo has 700,000 people, Bergen 290,000.", "fail"],
    ["table", "Provide the comparison as a Markdown table.", "a is 1\n---\nb is 2", "fail"],
    ["table", "Provide the comparison as a Markdown table.", "City  People\nOslo  7", "fail"],
    ["table", "Return only a Markdown table.", TABLE, "pass"],
    ["table", "Return only a Markdown table.", `Here is the table you wanted:\n\n${TABLE}`, "fail"],
  ])("%s: %s %j: %s", (check, task, text, outcome) => {
    expect(run(check, task, text).outcome).toBe(outcome);
  });
});

/** Tasks with the checks that they call for; none for look-alikes. */
const PHRASINGS = readFileSync(new URL("format.phrasings.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as { task: string; requires: string[] });

const extractNames = (task: string) =>
  [...new Set(FORMAT_CHECKS.flatMap(({ extract }) => extract(task, "content")))]
    .map(({ check }) => check)
    .filter((check, index, all) => all.indexOf(check) === index)
    .toSorted();

describe("formats that a task demands", () => {
  test.each(PHRASINGS)("$task", ({ task, requires }) => {
    expect(extractNames(task)).toEqual(requires);
  });

  test("are found in the middle of a long prompt", () => {
    const filler = "The shop sells lamps, chairs and other furniture to hotels. ";
    const task = `${filler.repeat(20)}\n\nPlease return the result as JSON.\n\n${filler.repeat(20)}`;
    expect(extractNames(task)).toEqual(["json"]);
  });

  test("have parameters that their checks accept, and public descriptions without quotations", () => {
    for (const { task } of PHRASINGS) {
      for (const check of FORMAT_CHECKS) {
        for (const { parameters } of check.extract(task, "content")) {
          const text = check.describe(check.parameters.parse(parameters));
          expect(text).toMatch(/^[A-Z][\w ,:/.-]+$/);
        }
      }
    }
  });
});
