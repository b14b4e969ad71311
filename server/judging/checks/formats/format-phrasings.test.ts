import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FORMAT_CHECKS } from "@/server/judging/checks/registry";

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
