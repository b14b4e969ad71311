// cspell:ignore nmae reserch websit wordcount
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { httpUrlSchema, pageInputShape, textSchema, txHashSchema } from "@/server/lib/schema";
import { walletSchema } from "@/server/lib/wallet";
import { InputError, parseInput } from "./parse-input";

const schema = z.strictObject({
  name: textSchema(1, 5),
  url: httpUrlSchema.optional().meta({ description: "A link" }),
  email: z.email().optional(),
  note: textSchema(0, 10).optional(),
  statement: textSchema(1, 10).optional(),
  owner: z.string().nullable(),
  nickname: z.string().nullable().optional(),
  kind: z.enum(["code-review", "research"]).optional(),
  links: z.strictObject({ website: httpUrlSchema.optional() }).default({}),
  at: z
    .union([z.string().regex(/^\//, "must start with /"), z.strictObject({ row: z.int() })])
    .optional(),
  form: z
    .discriminatedUnion("check", [
      z.strictObject({ check: z.literal("word-count"), max: z.int() }),
      z.strictObject({ check: z.literal("max-bytes"), bytes: z.int() }),
      z.strictObject({ check: z.literal("json") }),
    ])
    .optional(),
  entries: z
    .array(z.strictObject({ hash: txHashSchema.optional() }))
    .max(2)
    .optional(),
  ...pageInputShape,
});

const VALID = { name: "a", owner: null };

function violations(input: unknown) {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (error instanceof InputError) return error.violations;
    throw error;
  }
  return [];
}

describe("an absent field", () => {
  it("may be null or, for a link, empty", () => {
    const parsed = parseInput(schema, VALID);
    const empty = { url: "", email: "", links: { website: "" }, entries: null };
    const nulls = { url: null, email: null, note: null, kind: null, page: null, size: null };
    expect(parseInput(schema, { ...VALID, ...nulls, ...empty })).toStrictEqual(parsed);
    expect(parseInput(schema, { ...VALID, links: null })).toStrictEqual(parsed);
    const nested = { ...VALID, entries: [{ hash: null }] };
    expect(parseInput(schema, nested).entries).toStrictEqual([{}]);
  });

  it("stays what it is if the schema gives null or empty text a meaning", () => {
    const parsed = parseInput(schema, { ...VALID, note: "", nickname: null });
    expect(parsed).toMatchObject({ note: "", owner: null, nickname: null });
  });

  it("is not an empty text that is no link", () => {
    expect(violations({ ...VALID, statement: "" })).toMatchObject([
      { path: ["statement"], detail: "must not be empty" },
    ]);
  });

  it("cannot be a required one, an entry or an unknown one", () => {
    const input = { name: null, owner: "", entries: [null], nmae: null };
    expect(violations(input).map(({ path }) => path.join("."))).toEqual([
      "name",
      "entries.0",
      "nmae",
    ]);
  });

  it("changes nothing about any input: the same value or the same violations", () => {
    const optional = ["url", "email", "note", "kind", "links", "entries", "page", "size"] as const;
    const anything = fc.record(
      {
        name: fc.oneof(fc.string(), fc.constant(null), fc.integer()),
        owner: fc.constantFrom(null, "o"),
        url: fc.oneof(fc.webUrl(), fc.string({ minLength: 1 })),
        email: fc.constantFrom("a@example.org", "a"),
        note: fc.string(),
        kind: fc.constantFrom("research", "reserch"),
        links: fc.record({ website: fc.webUrl() }, { requiredKeys: [] }),
        entries: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
        page: fc.double(),
        size: fc.integer(),
        unknown: fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    );
    const outcome = (input: unknown) => {
      const found = violations(input);
      return found.length > 0 ? found : parseInput(schema, input);
    };
    fc.assert(
      fc.property(anything, fc.subarray([...optional]), (input, names) => {
        const absent = names.filter((name) => !(name in input));
        const nulls = Object.fromEntries(absent.map((name) => [name, null]));
        expect(outcome({ ...input, ...nulls })).toEqual(outcome(input));
      }),
    );
  });
});

describe("a violation", () => {
  it.each<[object, string, string]>([
    [{ name: undefined }, "missing", "is required"],
    [{ name: 7 }, "invalid-type", "must be text; it is 7"],
    [{ name: null }, "invalid-type", "must be text; it is null"],
    [{ name: [] }, "invalid-type", "must be text; it is an array"],
    [{ name: {} }, "invalid-type", "must be text; it is an object"],
    [{ name: " " }, "too-small", "must not be empty"],
    [{ name: "🙂🙂🙂🙂🙂🙂" }, "too-big", "must have at most 5 characters; it has 6 characters"],
    [{ name: "a\0" }, "invalid-value", "must not contain the NUL character"],
    [{ url: "x" }, "invalid-value", "must be an absolute http or https URL"],
    [
      { url: `https://example.org/${"a".repeat(2_029)}` },
      "too-big",
      "must have at most 2,048 characters; it has 2,049 characters",
    ],
    [{ email: "a" }, "invalid-format", "must be an e-mail address"],
    [
      { entries: [{ hash: "0x12" }] },
      "invalid-format",
      "must be 0x followed by 64 hexadecimal characters; it has 4 characters",
    ],
    [{ entries: [{}, {}, {}] }, "too-big", "must have at most 2 entries; it has 3 entries"],
    [{ page: 1.5 }, "invalid-type", "must be a whole number; it is 1.5"],
    [{ page: "1" }, "invalid-type", 'must be a number; it is "1"'],
    [{ page: -1 }, "too-small", "must be at least 0; it is -1"],
    [{ page: 1e7 }, "too-big", "must be at most 1,000,000; it is 10000000"],
    [
      { links: { websit: "" } },
      "unknown-field",
      "is not a field of this request. Did you mean `website`?",
    ],
    [{ kind: "cooking" }, "invalid-value", 'must be one of code-review, research; it is "cooking"'],
    [
      { kind: "code_review" },
      "invalid-value",
      'must be one of code-review, research; it is "code_review". Did you mean `code-review`?',
    ],
    [
      { form: { check: "wordcount", max: 3 } },
      "invalid-value",
      "matches none of the allowed forms. Did you mean `word-count`?",
    ],
    [
      { form: { check: "max-words" } },
      "invalid-value",
      "matches none of the allowed forms. Did you mean `word-count` or `max-bytes`?",
    ],
    [{ form: { check: "regex" } }, "invalid-value", "matches none of the allowed forms"],
    [{ form: { check: ["json"] } }, "invalid-union", "matches none of the allowed forms"],
    [{ form: { max: 3 } }, "missing", "is required"],
    [{ at: "total" }, "invalid-format", "must start with /; it has 5 characters"],
    [{ at: 7 }, "invalid-union", "matches none of the allowed forms"],
    [{ form: "json" }, "invalid-type", 'must be an object; it is "json"'],
  ])("of %j has the code %s and says what is wrong: %s", (changes, code, detail) => {
    expect(violations({ ...VALID, ...changes })).toMatchObject([{ code, detail }]);
  });

  it("in one form of a union names the fields of that form", () => {
    const form = { check: "max-bytes", bytes: 1, byte: 3 };
    expect(violations({ ...VALID, form })).toEqual([
      {
        path: ["form", "byte"],
        code: "unknown-field",
        detail: "is not a field of this request",
      },
    ]);
    const { bytes: _, ...misspelled } = form;
    expect(violations({ ...VALID, form: misspelled })).toContainEqual(
      expect.objectContaining({ path: ["form", "byte"], suggestion: "bytes" }),
    );
    expect(violations({ ...VALID, form: { check: "is-good" } })).toMatchObject([
      { path: ["form", "check"] },
    ]);
    expect(violations({ ...VALID, at: { row: "1" } })).toEqual([
      { path: ["at", "row"], code: "invalid-type", detail: 'must be a number; it is "1"' },
    ]);
  });

  it("of any value can be described", () => {
    const hostile = JSON.parse('{"toString":1,"valueOf":1,"__proto__":{"constructor":1}}');
    for (const name of Object.keys(schema.shape)) {
      const found = violations({ ...VALID, [name]: hostile });
      expect(found.length, name).toBeGreaterThan(0);
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(schema.shape)), (value, name) => {
        for (const { detail, code } of violations({ ...VALID, [name]: value })) {
          expect(detail).not.toMatch(/^Invalid|^Too |\[object/);
          expect(code).not.toBe("custom");
        }
      }),
    );
  });

  it("does not quote what may be a key", () => {
    const key = `rep_${"k".repeat(49)}`;
    const found = violations({ ...VALID, page: key, kind: key });
    expect(JSON.stringify(found)).not.toContain("kkk");
    expect(found[0]?.detail).toBe(
      "must be one of code-review, research; it is text of 53 characters",
    );
  });

  it("quotes the beginning of a long unknown name, and at most fifty of them", () => {
    const found = violations({ ...VALID, ["k".repeat(1_000)]: 1 });
    expect(String(found[0]?.path[0])).toHaveLength(100);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field${i}`, i]));
    expect(violations({ ...VALID, ...many })).toHaveLength(50);
  });
});

describe("a text of a wrong form", () => {
  const address = "52908400098527886E0F7030069857D2E4169EE7";
  it.each([
    [
      walletSchema,
      address,
      "must be 0x followed by 40 hexadecimal characters; 0x is missing",
      `0x${address}`,
    ],
    [
      walletSchema,
      `0x${address.slice(1)}`,
      "must be 0x followed by 40 hexadecimal characters; it has 41 characters",
      undefined,
    ],
    [
      txHashSchema,
      "ab".repeat(32),
      "must be 0x followed by 64 hexadecimal characters; 0x is missing",
      `0x${"ab".repeat(32)}`,
    ],
    [z.iso.date(), "yesterday", "must be a day, such as 2026-11-21", undefined],
    [
      z.iso.datetime(),
      "yesterday",
      "must be an ISO 8601 UTC date-time, such as 2026-11-21T12:00:00Z",
      undefined,
    ],
    [
      z.string().regex(/^[a-z]+$/),
      "5",
      "must have the form that the API document describes; it has 1 character",
      undefined,
    ],
  ])("gets an error that says what it must be %#", (wanted, sent, detail, suggestion) => {
    expect(() => parseInput(z.strictObject({ a: wanted }), { a: sent })).toThrow(
      expect.objectContaining({
        violations: [
          { path: ["a"], code: "invalid-format", detail, ...(suggestion ? { suggestion } : {}) },
        ],
      }),
    );
  });
});
