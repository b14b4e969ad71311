import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { WORD_CHECKS } from "@/server/judging/checks/registry";

/**
 * Tasks with the requirements that they state, as "check: parameters". Tasks without requirements
 * are look-alikes.
 */
interface Phrasing {
  task: string;
  states?: string[];
}

const PHRASINGS: Phrasing[] = readFileSync(`${import.meta.dirname}/word.phrasings.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const FOUND = PHRASINGS.map(({ task, states = [] }) => ({
  task,
  states,
  requirements: WORD_CHECKS.flatMap((check) =>
    check.extract(task, "content").map((requirement) => ({ ...requirement, of: check })),
  ),
}));

describe("requirements on words", () => {
  test("are found in every phrasing, and in no look-alike", () => {
    const wrong = FOUND.flatMap(({ task, states, requirements }) => {
      const found = requirements
        .map(({ check, parameters }) => `${check}: ${JSON.stringify(parameters)}`)
        .toSorted();
      const isRight = JSON.stringify(found) === JSON.stringify(states.toSorted());
      return isRight ? [] : [{ task, states, found }];
    });
    expect(wrong).toEqual([]);
  });

  test("are found in more than 100 phrasings, with more look-alikes", () => {
    expect(PHRASINGS.filter(({ states }) => states).length).toBeGreaterThan(100);
    expect(PHRASINGS.filter(({ states }) => !states).length).toBeGreaterThan(150);
  });

  test("are described in public without words of the task", () => {
    for (const { of, parameters } of FOUND.flatMap(({ requirements }) => requirements)) {
      expect(of.describe(of.parameters.parse(parameters))).toMatch(/^[A-Z\d][\w ',-]+$/);
    }
  });
});
