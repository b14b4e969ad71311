import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeRequirement } from "@/server/judging/requirements/describe";
import {
  type Requirement,
  type RequirementName,
  requirementSchema,
} from "@/server/judging/requirements/schema";
import { decideTexts, type TextRequirement } from "./decide-texts";
import type { Decision } from "./reading";

// Texts in several languages. cspell:disable

function decide(text: string, requirement: TextRequirement): Decision {
  const delivered = { text, source: text, file: null, problem: null };
  const [decision] = decideTexts(delivered, [requirement]);
  if (!decision) throw new Error("there is no decision");
  return decision;
}
const passes = (text: string, requirement: TextRequirement) => decide(text, requirement).passed;

const LENGTHS = [
  "word-count",
  "character-count",
  "sentence-count",
  "paragraph-count",
  "list-item-count",
] as const;
/** Occurs in parameters and deliverables, and must not in what is public. */
const SECRET = "zqxsecret";
const secretive = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => `a${text}${SECRET}`);

const limits = fc.tuple(fc.nat(500), fc.nat(500), fc.nat(2)).map(([one, other, kind]) => ({
  ...(kind !== 1 && { min: Math.min(one, other) }),
  ...(kind !== 2 && { max: Math.max(one, other) }),
}));
const names = fc.array(secretive, { minLength: 1, maxLength: 4 });
const cell = fc.record({
  column: secretive,
  row: fc.constantFrom(-2, -1, 1, 2),
});
const fields: Record<TextRequirement["check"], fc.Arbitrary<object>> = {
  "word-count": limits,
  "character-count": limits,
  "sentence-count": limits,
  "paragraph-count": limits,
  "list-item-count": limits,
  contains: fc.record({ phrases: names, caseSensitive: fc.boolean() }),
  excludes: fc.record({ phrases: names, caseSensitive: fc.boolean() }),
  "starts-with": fc.record({ text: secretive }),
  "ends-with": fc.record({ text: secretive }),
  language: fc.record({ tag: fc.constantFrom("en", "de", "ja", "pt-BR") }),
  "letter-case": fc.record({ case: fc.constantFrom("upper", "lower") }),
  matches: limits.map((range) => ({ ...range, pattern: `(?i)${SECRET}|\\w+` })),
  json: fc.constantFrom(
    {},
    { schema: { type: "object", required: [SECRET] } },
    { schema: { const: SECRET } },
  ),
  "json-lines": fc.constant({}),
  csv: fc.record({ columns: names, minRows: fc.nat(3) }, { requiredKeys: [] }),
  yaml: fc.constant({}),
  xml: fc.constant({}),
  html: fc.constant({}),
  "markdown-table": fc.record({ columns: names }, { requiredKeys: [] }),
  sections: fc.record({ titles: names }),
  "code-block": fc.record({ language: fc.constant(SECRET) }),
  value: fc.record({ at: fc.oneof(fc.constant(`/${SECRET}`), cell), equals: secretive }),
  sum: fc.record({ column: secretive, equals: cell }),
  sha256: fc.constant({ hash: `0x${"0".repeat(64)}` }),
  "media-type": fc.constant({ type: `text/${SECRET}` }),
  "max-bytes": fc.record({ bytes: fc.integer({ min: 1, max: 1000 }) }),
};

const line = fc.constantFrom(
  `# ${SECRET}`,
  `- ${SECRET}`,
  `1. ${SECRET}`,
  `| ${SECRET} | 1 |`,
  "|---|---|",
  `{"${SECRET}": [1, {"b": null}]}`,
  `[{"${SECRET}": "(1,234.5)"}]`,
  `${SECRET},b`,
  "1,2",
  "```js",
  "```",
  "key: [1, 2]",
  `<p title="${SECRET}">&amp;</div>`,
  "",
);
const deliverables = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n")),
  fc.json().map((json) => json.replace(/"a+"/, `"${SECRET}"`)),
);

describe.each(Object.keys(fields) as TextRequirement["check"][])("%s", (check) => {
  const requirements = fields[check].map((rest) => ({ check, ...rest }) as TextRequirement);

  test("passes or fails, and says nothing private in public, whatever the text is", () => {
    fc.assert(
      fc.property(requirements, deliverables, (requirement, text) => {
        const { passed, observed } = decide(text, requirement);
        expect(typeof passed).toBe("boolean");
        expect(observed).not.toBe("");
        expect(`${describeRequirement(requirement)} ${observed}`).not.toContain(SECRET);
      }),
    );
  });
});

test.each(LENGTHS)("%s: a limit that passes also passes when it is loosened", (check) => {
  fc.assert(
    fc.property(limits, fc.nat(50), deliverables, (range, more, text) => {
      const { min, max } = range;
      const looser = {
        ...(min !== undefined && { min: Math.max(0, min - more) }),
        ...(max !== undefined && { max: max + more }),
      };
      fc.pre(passes(text, { check, ...range }));
      expect(passes(text, { check, ...looser })).toBe(true);
    }),
  );
});

test("contains and excludes never agree", () => {
  fc.assert(
    fc.property(secretive, deliverables, fc.boolean(), (phrase, text, caseSensitive) => {
      const phrases = [phrase.trim()];
      const contains = passes(text, { check: "contains", phrases, caseSensitive });
      expect(passes(text, { check: "excludes", phrases, caseSensitive })).toBe(!contains);
    }),
  );
});

test("a text contains, starts and ends with itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (raw) => {
      const text = `x${raw}y`;
      expect(passes(text, { check: "contains", phrases: [text], caseSensitive: true })).toBe(true);
      expect(passes(text, { check: "starts-with", text })).toBe(true);
      expect(passes(text, { check: "ends-with", text })).toBe(true);
    }),
  );
});

test("what JSON.stringify writes is JSON, and each value is at its pointer", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      const text = JSON.stringify(record);
      expect(passes(text, { check: "json" })).toBe(true);
      for (const [key, value] of Object.entries(JSON.parse(text) as object)) {
        if (typeof value === "object" && value !== null) continue;
        const at = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        const equals = value as string | number | boolean | null;
        expect(passes(text, { check: "value", at, equals })).toBe(true);
      }
    }),
  );
});

test.each<[RequirementName, string, object, boolean]>([
  ["word-count", "don't count well-known words twice — or", { max: 6 }, true],
  ["word-count", "今天下雨了", { min: 2, max: 4 }, true],
  ["word-count", "ฝนตกวันนี้", { min: 2, max: 4 }, true],
  ["word-count", "안녕 세상", { min: 2, max: 2 }, true],
  ["word-count", "See https://a.org/b?c=d now", { max: 3 }, true],
  ["character-count", "  e\u0301\u200b\r\nx ", { min: 3, max: 3 }, true],
  ["character-count", "😀", { max: 1 }, true],
  ["sentence-count", "One\nline. Two? Three!", { min: 3, max: 3 }, true],
  ["sentence-count", "一。二。", { min: 2, max: 2 }, true],
  ["sentence-count", "Pi is 3.14 vs. 22/7, e.g. here.", { max: 1 }, true],
  ["sentence-count", "1. One item\n2. Another item", { min: 2, max: 2 }, true],
  ["paragraph-count", "A\n\n- b\n- c\n\n```\nd\n\ne\n```\n\n| f |\n|---|", { max: 1 }, true],
  ["list-item-count", "- a\n  - b\n2) c\n---\n```\n- d\n```", { min: 3, max: 3 }, true],
  ["contains", "Die STRASSE ist lang", { phrases: ["straße"] }, true],
  ["contains", "We don’t know", { phrases: ["don't  know"] }, true],
  ["contains", "We  do\nnot", { phrases: ["do not"] }, true],
  ["contains", "START", { phrases: ["art"] }, false],
  ["contains", "start, art", { phrases: ["art"] }, true],
  ["contains", "我住在北京市", { phrases: ["北京"] }, true],
  ["contains", "C++ and C#", { phrases: ["C++", "C#"] }, true],
  ["contains", "ro\u200bot", { phrases: ["root"] }, true],
  ["contains", "Root", { phrases: ["root"], caseSensitive: true }, false],
  ["excludes", "Classic", { phrases: ["class"] }, true],
  ["language", "OK", { tag: "en" }, false],
  [
    "language",
    "O relatório mostra uma receita maior do que no ano passado.",
    { tag: "pt-BR" },
    true,
  ],
  [
    "language",
    "The sea is wide. ".repeat(60) + "Das Meer ist weit. ".repeat(60),
    { tag: "en" },
    false,
  ],
  ["letter-case", "ALL 42 FINE", { case: "upper" }, true],
  ["letter-case", "42", { case: "upper" }, false],
  ["matches", "a1b22", { pattern: "[0-9]+", max: 1 }, false],
  ["matches", "a1b22", { pattern: "[0-9]+", min: 2, max: 2 }, true],
  ["matches", "calm", { pattern: "storm", max: 0 }, true],
  ["json", '```json\n{"a": 1}\n```', {}, true],
  ["json", 'Here: {"a": 1}', {}, false],
  ["json", "\uFEFF[]", {}, true],
  ["json", '{"a": 1}', { schema: { required: ["toString"] } }, false],
  ["json", '"ab"', { schema: { pattern: "^a.$" } }, true],
  ["json-lines", '{\n"a": 1\n}', {}, false],
  ["csv", 'a;b\n"x;1";2', { columns: ["b"] }, true],
  ["csv", "a,b\n1,2,3", {}, false],
  ["csv", 'a,b\n"1,2', {}, false],
  ["csv", "a,b", {}, true],
  ["csv", "a,b", { columns: ["B"] }, false],
  ["yaml", "just text", {}, false],
  ["yaml", "a: 1\na: 2", {}, false],
  ["yaml", "a: *missing", {}, false],
  ["xml", "<a b='1' b='2'/>", {}, false],
  ["xml", '<?xml version="1.0"?>\n<a/>', {}, true],
  ["html", "<!doctype html><title>x</title><ul><li>a<li>b</ul><br>", {}, true],
  ["html", "<p><b>x</p>", {}, false],
  ["html", "<!-- only a comment -->", {}, false],
  ["markdown-table", "| a | b |\n|---|---|", {}, false],
  ["sections", "**Cause:**\n\nx\n\nRemedy\n------", { titles: ["Cause", "remedy"] }, true],
  ["sections", "# Cause", { titles: ["Cause", "Cause"] }, false],
  ["sections", "```\n# Cause\n```", { titles: ["Cause"] }, false],
  ["code-block", "```py\nx\n```", { language: "Python" }, true],
  ["code-block", "```py\n\n```", { language: "py" }, false],
  ["value", '{"a": ["1,234.50"]}', { at: "/a/0", equals: 1234.5 }, true],
  ["value", '{"a": []}', { at: "/a/length", equals: 0 }, false],
  ["value", '{"a": {}}', { at: "/a/constructor", equals: "x" }, false],
  ["value", '{"a": 0.3}', { at: "/a", equals: 0.30000000000000004 }, false],
  ["value", '{"a": 1}', { at: "", equals: 1 }, false],
  ["value", "x,y\n1,12 %\n2,", { at: { column: "y", row: 1 }, equals: 12 }, true],
  ["value", "x,y\n1,12 %\n2,", { at: { column: "y", row: -1 }, equals: null }, true],
  ["value", "x,y\n1,2", { at: { column: "y", row: 2 }, equals: 2 }, false],
  ["sum", "x,y\na,0.1\nb,0.2\nall,0.3", { column: "y", equals: { column: "y", row: -1 } }, true],
  ["sum", "x;y\na;1\nb;(2)\nall;-1", { column: "y", equals: { column: "y", row: -1 } }, true],
  ["sum", "x,y\na,?\nall,0", { column: "y", equals: { column: "y", row: -1 } }, false],
  ["sum", "x,y\nall,0", { column: "y", equals: { column: "y", row: -1 } }, false],
])("%s on %j with %j: %s", (check, text, rest, passed) => {
  const requirement = requirementSchema.parse({ check, ...rest }) as TextRequirement;
  expect(decide(text, requirement)).toMatchObject({ passed });
});

test("a deliverable that can't be read fails all but requirements on its file", () => {
  const file = { sha256: `0x${"a".repeat(64)}`, mediaType: "image/png", bytes: 10 };
  const delivered = { text: null, source: null, file, problem: "The document is a picture." };
  const requirements: Requirement[] = [
    { check: "word-count", max: 10 },
    { check: "excludes", phrases: ["x"] },
    { check: "sha256", hash: file.sha256 },
    { check: "media-type", type: "image/png" },
    { check: "max-bytes", bytes: 10 },
    { check: "max-bytes", bytes: 9 },
  ];
  const decisions = decideTexts(delivered, requirements as TextRequirement[]);
  expect(decisions.map(({ passed }) => passed)).toEqual([false, false, true, true, true, false]);
  expect(decisions[0]?.observed).toBe(delivered.problem);
  const missing = decideTexts({ ...delivered, file: null }, requirements as TextRequirement[]);
  expect(missing.some(({ passed }) => passed)).toBe(false);
});
