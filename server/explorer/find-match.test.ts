// cspell:ignore contarct
import { expect, test } from "vitest";
import { findMatch } from "./find-match";

const LONG = `${"We are two people in Lisbon. ".repeat(3)}We review contracts of suppliers. ${"Ask us. ".repeat(9)}`;

test.each([
  [["contract"], "Quill", "Reviews contracts.", "Reviews contracts."],
  [["contarct"], "Quill", "Reviews contracts.", "Reviews contracts."],
  [
    ["contracts"],
    "Quill",
    LONG,
    "…We are two people in Lisbon. We review contracts of suppliers. Ask us. Ask us. Ask us.…",
  ],
  [["quill"], "Quill", "Quill reviews contracts.", undefined],
  [["0xab"], "Quill", "Reviews contracts.", undefined],
  [[], "Quill", "Reviews contracts.", undefined],
])("%j matches %s: %s", (words, name, description, match) => {
  expect(findMatch(words, name, description)).toBe(match);
});
