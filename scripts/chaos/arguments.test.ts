import { expect, test } from "vitest";
import { CommandError } from "@/scripts/lib/say.mjs";
import { readArguments } from "./arguments";

const read = (...args: string[]) => readArguments(args, () => 7);

test("three minutes with two processes and a seed of its own, unless told", () => {
  expect(read()).toEqual({
    breakingMinutes: 2,
    seed: 7,
    apps: 2,
    calm: false,
    patient: false,
    counts: undefined,
  });
});

test("a long run leaves time for the last retry of a webhook, which it waits for", () => {
  expect(read("--minutes", "60", "--seed", "11")).toMatchObject({
    breakingMinutes: 46,
    seed: 11,
    patient: true,
  });
});

test.each([
  ["--minutes", "0"],
  ["--minutes", "soon"],
  ["--minutes", "10", "--patient"],
  ["--seed", "-1"],
  ["--seed", "1.5"],
  ["--apps", "0"],
  ["--faults"],
  ["60"],
])("what makes no sense is refused: %s %s", (...args) => {
  expect(() => read(...args)).toThrow(CommandError);
});
