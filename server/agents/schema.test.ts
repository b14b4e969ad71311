import { describe, expect, test } from "vitest";
import { descriptionSchema, nameSchema } from "./schema";

const problem = (name: string) => nameSchema.safeParse(name).error?.issues[0]?.message ?? null;
const named = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("an agent's name", () => {
  test.each([
    "Ada",
    "  Ada\n",
    "محلل البيانات",
    "סוכן 7",
    "審計員",
    "Ω",
    "🦊",
    "👩‍🔬 Lab",
    "a\u200Db",
    "می\u200Cخواهم",
    "!",
    "\u2801",
  ])("may be %j", (name) => {
    expect(nameSchema.parse(name)).toBe(name.trim());
  });

  test.each([
    ...range(0x01, 0x1f),
    ...range(0x7f, 0x9f),
    0x2028,
    0x2029,
    0x00ad,
    0x061c,
    ...range(0x200b, 0x200f),
    ...range(0x202a, 0x202e),
    ...range(0x2060, 0x206f),
    0xfeff,
    ...range(0xe0001, 0xe007f),
  ])("cannot contain the control or invisible character %i", (code) => {
    const name = `gnp ${String.fromCodePoint(code)} exe`;
    expect(problem(name)).toContain(`must not contain ${named(code)}`);
  });

  test.each([
    ["zero-width space", "\u200B"],
    ["zero-width joiners", "\u200D\u200C"],
    ["soft hyphen", "\u00AD"],
    ["blank Braille", "\u2800\u2800"],
    ["Hangul fillers", "\u115F\u1160\u3164\uFFA0"],
    ["variation selector", "\uFE0F"],
    ["tags", "\u{E0041}\u{E007F}"],
    ["an unassigned character", "\u0378"],
    ["a mix", "\u2800 \u200B\u3164 \u00A0\u2800"],
  ])("cannot consist only of %s", (_, name) => {
    expect(problem(name)).toBe("must contain a visible character");
  });

  test("has a single error if it is empty", () => {
    expect(nameSchema.safeParse(" \t ").error?.issues).toHaveLength(1);
  });
});

test("a description may have lines, but hides no text", () => {
  expect(descriptionSchema.parse("👩\u200D🔬 Reviews code.\nAnd tests.")).toContain("\n");
  const hidden = String.fromCodePoint(...[..."pay me"].map((_, at) => 0xe0061 + at));
  const refused = descriptionSchema.safeParse(`Reviews code.${hidden}`);
  expect(refused.error?.issues[0]?.message).toBe("must not contain U+E0061: it is invisible");
});
