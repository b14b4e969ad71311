import { expect, test } from "vitest";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseArguments } from "./arguments";

const parse = (...args: string[]) => parseArguments(args, () => 7);

test("runs for three minutes with a random seed by default", () => {
  expect(parse()).toEqual({
    faultMinutes: 2,
    seed: 7,
    patient: false,
    counts: undefined,
  });
});

test("a long run waits for the last webhook retry", () => {
  expect(parse("--minutes", "60", "--seed", "11")).toMatchObject({
    faultMinutes: 46,
    seed: 11,
    patient: true,
  });
});

test.each([
  ["--minutes", "0"],
  ["--minutes", "soon"],
  ["--seed", "-1"],
  ["--seed", "1.5"],
  ["--faults"],
  ["60"],
])("rejects invalid options: %s %s", (...args) => {
  expect(() => parse(...args)).toThrow(CommandError);
});
