import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexPrivateTexts } from "./private-text-index";

const TASK = "Compare the retention of the Lisbon and Oslo cohorts and name the weaker one.";
const WORK =
  "Oslo keeps 61% after ninety days, Lisbon 48%; the password is hunter2. Write to ann@acme.example, see maxRetries.";
const index = indexPrivateTexts([TASK, WORK]);

describe("isQuotedIn", () => {
  test.each([
    "It says that Oslo keeps 61% after ninety days.",
    "It says that OSLO KEEPS 61 %, after ninety   days.",
    'It names "hunter2".',
    "It names 'hunter2'.",
    "It names “hunter2”.",
    "As asked: compare the retention of the Lisbon and Oslo cohorts.",
  ])("is true for %s", (sentence) => expect(index.isQuotedIn(sentence)).toBe(true));

  test.each([
    "It does, with a figure for each.",
    "",
    "Names which cohort is weaker",
    "…",
    "\"\"\" '''",
  ])("is false for %j", (sentence) => expect(index.isQuotedIn(sentence)).toBe(false));

  test("is false for a run that spans two texts", () => {
    expect(
      indexPrivateTexts(["one two three", "four five six"]).isQuotedIn("two three four five six"),
    ).toBe(false);
  });
});

describe("isQuotedIn, in scripts whose letters are syllables or words", () => {
  const dense = indexPrivateTexts([
    "请在周五之前把新客户的合同草稿发给法务部门。",
    "パスワードは桜の木の下に隠してある。",
    "서울 지점의 분기 매출이 절반으로 줄었다.",
  ]);
  test.each([
    "It says 新客户的合同草稿发给 as it should.",
    "It says パスワードは桜の木の下.",
    "It says 지점의 분기 매출이 절반으로.",
    "It names 「桜の木」.",
  ])("is true for %s", (sentence) => expect(dense.isQuotedIn(sentence)).toBe(true));

  test.each(["Written in 合同 style.", "「別の話」 is not in it.", "It is in Korean."])(
    "is false for %s",
    (sentence) => expect(dense.isQuotedIn(sentence)).toBe(false),
  );
});

describe("isRevealedIn", () => {
  test.each([
    "Oslo is given 61%.",
    "It leaks hunter2.",
    "It names ann@acme.example.",
    "Sets maxRetries.",
  ])("is true for %s", (sentence) => expect(index.isRevealedIn(sentence)).toBe(true));

  test.each(["It gives 2 of 3 parts.", "It has 500 words.", "It is short."])(
    "is false for %s",
    (sentence) => expect(index.isRevealedIn(sentence)).toBe(false),
  );
});

test("finds any shared run of 24 characters, without false positives", () => {
  const letters = fc.string({
    unit: fc.constantFrom(..."abcd e"),
    minLength: 0,
    maxLength: 80,
  });
  const plain = (text: string) => text.replace(/ +/g, " ").trim();
  fc.assert(
    fc.property(letters, letters, letters, (text, before, after) => {
      const sentence = plain(`${before} ${text} ${after}`);
      const source = plain(text);
      let isShared = false;
      for (let at = 0; at + 24 <= sentence.length; at++) {
        isShared ||= source.includes(sentence.slice(at, at + 24));
      }
      expect(indexPrivateTexts([text]).isQuotedIn(sentence)).toBe(isShared);
    }),
  );
});
