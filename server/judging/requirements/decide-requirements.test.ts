import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CheckIo, CitedPage } from "@/server/judging/checks/check";
import type { CodeRun } from "@/server/judging/checks/code/code-run";
import { JudgeUnavailable } from "@/server/judging/judge";
import { closeWorkerPool } from "@/server/lib/process/worker-pool";
import { createRequirementDecider } from "./decide-requirements";
import { findInvalidRequirement } from "./find-invalid-requirement";
import type { Delivered } from "./requirement-decider";
import type { Requirement } from "./schema";

const PAGE = "https://who.int/report";
const QUOTE = "the oceans absorbed more heat than in any earlier year";

/** Shorter than the usual limits, which the hostile texts would use up. */
const LIMITS = { togetherMs: 500, aloneMs: 250 };

const page = (text: string, isPartial = false): CitedPage => ({ kind: "page", text, isPartial });

function createIo(pages: Record<string, CitedPage> = {}, run?: CodeRun) {
  const fetched: string[] = [];
  const io: CheckIo = {
    fetchCitedPage: async (url, options) => {
      fetched.push(url);
      const found = pages[url] ?? { kind: "unreachable", reason: "It was down." };
      return options?.isTextless ? { ...found, text: "" } : found;
    },
    runCode: async () => run ?? { kind: "unavailable", reason: "overloaded" },
  };
  return { fetched, decide: createRequirementDecider(io, LIMITS) };
}

const deliver = (text: string): Delivered => ({ text, source: text, file: null, problem: null });

async function decideOne(text: string, requirement: Requirement, io = createIo()) {
  const [result] = await io.decide(deliver(text), [requirement]);
  return result;
}

afterAll(closeWorkerPool);

test("every requirement has a result, in the order of the terms", async () => {
  const { decide } = createIo({ [PAGE]: page(QUOTE) });
  const results = await decide(deliver(`It says “${QUOTE}” (${PAGE}).`), [
    { check: "quotes-found" },
    { check: "word-count", max: 3 },
    { check: "links-respond", min: 1 },
    { check: "word-count", min: 3 },
  ]);
  expect(results).toEqual([
    {
      check: "quotes-found",
      description: "Every quotation is on the page that it cites",
      passed: true,
      observed: "1 of 1 quotations found",
      detail: null,
    },
    {
      check: "word-count",
      description: "At most 3 words",
      passed: false,
      observed: "13 words",
      detail: null,
    },
    {
      check: "links-respond",
      description: "At least 1 link, and every link responds",
      passed: true,
      observed: "1 link, 1 responds",
      detail: null,
    },
    {
      check: "word-count",
      description: "At least 3 words",
      passed: true,
      observed: "13 words",
      detail: null,
    },
  ]);
});

describe("sources", () => {
  const quoting = `It says “${QUOTE}” (${PAGE}).`;

  test.each<[string, CitedPage]>([
    ["lacks the words", page("Less heat.")],
    ["may have more text", page("Please log in.", true)],
    ["does not exist", { kind: "missing", status: 404 }],
    ["is down", { kind: "unreachable", reason: "It was down." }],
  ])("a quotation fails if its page %s", async (_, found) => {
    const result = await decideOne(quoting, { check: "quotes-found" }, createIo({ [PAGE]: found }));
    expect(result).toMatchObject({ passed: false, observed: "0 of 1 quotations found" });
    expect(result?.detail).toContain(QUOTE);
  });

  test("a text without a quotation fails", async () => {
    const result = await decideOne(`See ${PAGE}.`, { check: "quotes-found" });
    expect(result).toMatchObject({ passed: false });
  });

  test("each link is fetched once, and all must respond", async () => {
    const io = createIo({ [PAGE]: page("x") });
    const text = `See ${PAGE}, ${PAGE} and https://who.int/b.`;
    const result = await decideOne(text, { check: "links-respond", min: 1 }, io);
    expect(result).toMatchObject({ passed: false, observed: "2 links, 1 responds" });
    expect(result?.detail).toBe("Not responding: https://who.int/b");
    expect(io.fetched.toSorted()).toEqual(["https://who.int/b", PAGE]);
  });

  test("too few links and too many fail, and no page is fetched", async () => {
    const io = createIo({ [PAGE]: page("x") });
    expect(await decideOne(`See ${PAGE}.`, { check: "links-respond", min: 2 }, io)).toMatchObject({
      passed: false,
      observed: "1 link",
    });
    const many = Array.from({ length: 51 }, (_, at) => `https://who.int/${at}`).join("\n");
    expect(await decideOne(many, { check: "links-respond", min: 1 }, io)).toMatchObject({
      passed: false,
      observed: "more than 50 links",
    });
    const quotations = Array.from({ length: 11 }, (_, at) => `“${QUOTE}” (https://who.int/${at})`);
    expect(await decideOne(quotations.join("\n"), { check: "quotes-found" }, io)).toMatchObject({
      passed: false,
      observed: "quotations of more than 10 pages",
    });
    expect(io.fetched).toEqual([]);
  });

  test("pages are read through the store, with their text only if it is quoted", async () => {
    const other = "https://who.int/b";
    const { decide } = createIo({ [PAGE]: page(QUOTE), [other]: page("long") });
    const stored = new Map<string, CitedPage>();
    const pages = async (url: string, fetchPage: () => Promise<CitedPage>) => {
      const kept = stored.get(url) ?? (await fetchPage());
      stored.set(url, kept);
      return kept;
    };
    const requirements: Requirement[] = [
      { check: "quotes-found" },
      { check: "links-respond", min: 2 },
    ];
    const text = deliver(`${quoting} See ${other}.`);
    const first = await decide(text, requirements, { pages });
    expect(first.every(({ passed }) => passed)).toBe(true);
    expect(stored.get(PAGE)).toMatchObject({ text: QUOTE });
    expect(stored.get(other)).toMatchObject({ kind: "page", text: "" });
    // Later decisions read the copies, whatever the pages are by then.
    expect(await createIo().decide(text, requirements, { pages })).toEqual(first);
  });

  test("pages that hang don't respond: all of them together have a minute", async () => {
    const minute = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(minute.signal);
    const decide = createRequirementDecider({
      fetchCitedPage: (_url, { signal } = {}) =>
        new Promise((resolve) => {
          signal?.addEventListener("abort", () =>
            resolve({ kind: "unreachable", reason: "It did not respond in time." }),
          );
          minute.abort();
        }),
      runCode: async () => ({ kind: "unavailable", reason: "" }),
    });
    const links: Requirement[] = [{ check: "links-respond", min: 1 }];
    const decided = await decide(deliver(`See ${PAGE}.`), links);
    expect(decided).toMatchObject([{ passed: false, observed: "1 link, 0 respond" }]);
    expect(timeout.mock.calls).toEqual([[60_000]]);
  });

  test("an interrupted decision stores no failure", async () => {
    const stop = new AbortController();
    const stored: CitedPage[] = [];
    const decide = createRequirementDecider({
      fetchCitedPage: async () => {
        stop.abort(new Error("the service stops"));
        return { kind: "unreachable", reason: "It did not respond in time." };
      },
      runCode: async () => ({ kind: "unavailable", reason: "" }),
    });
    const decision = decide(deliver(`See ${PAGE}.`), [{ check: "links-respond", min: 1 }], {
      signal: stop.signal,
      pages: async (_url, fetchPage) => {
        const fetched = await fetchPage();
        stored.push(fetched);
        return fetched;
      },
    });
    await expect(decision).rejects.toThrow("the service stops");
    expect(stored).toEqual([]);
  });
});

describe("code", () => {
  const parses: Requirement = { check: "parses", language: "python" };

  test("a sandbox that is not available decides nothing", async () => {
    await expect(decideOne("x = 1", parses)).rejects.toThrow(JudgeUnavailable);
  });

  test.each<[CodeRun]>([
    [{ kind: "limit", limit: "memory" }],
    [
      {
        kind: "executed",
        programs: [{ ending: "endless", error: "time", results: [] }],
      },
    ],
    [{ kind: "executed", programs: [] }],
  ])("a program over the limits fails (%#)", async (run) => {
    const requirements: Requirement[] = [
      { check: "tests", language: "python", file: "assert True" },
      { check: "examples", language: "python", calls: [{ call: "f()", result: "1" }] },
    ];
    for (const requirement of requirements) {
      const result = await decideOne("x = 1", requirement, createIo({}, run));
      expect(result).toMatchObject({ passed: false });
    }
  });

  test("after three programs over the limits, no more is run", async () => {
    let runs = 0;
    const decide = createRequirementDecider({
      fetchCitedPage: async () => page(""),
      runCode: async () => {
        runs += 1;
        return { kind: "limit", limit: "time" };
      },
    });
    const tests: Requirement = { check: "tests", language: "python", file: "assert True" };
    const decided = await decide(deliver("x = 1"), Array(6).fill(tests));
    expect(decided.map(({ passed }) => passed)).toEqual(Array(6).fill(false));
    expect(runs).toBe(3);
  });

  test("an example that can't be compared fails", async () => {
    const results = [{ outcome: "unknown" as const, got: "compared by the program" }];
    const run: CodeRun = {
      kind: "executed",
      programs: [{ ending: "completed", error: null, results }],
    };
    const calls = [{ call: "f() < 1", result: "true" }];
    const requirement: Requirement = { check: "examples", language: "javascript", calls };
    expect(await decideOne("x", requirement, createIo({}, run))).toMatchObject({
      passed: false,
      observed: "0 of 1 as agreed",
    });
  });

  test.each([
    ["```python\na = 1\n```\ntext\n```py\nb = 2\n```\n```js\nc\n```", "a = 1\n\nb = 2"],
    ["text\n```\na = 1\n```", "a = 1"],
    ["a = 1\n", "a = 1\n"],
  ])("the program of %j", async (text, program) => {
    const programs: string[] = [];
    const decide = createRequirementDecider({
      fetchCitedPage: async () => page(""),
      runCode: async (job) => {
        programs.push(...job.programs);
        return { kind: "executed", programs: [] };
      },
    });
    await decide(deliver(text), [parses]);
    expect(programs).toEqual([program]);
  });
});

describe("hostile texts and parameters", () => {
  /** Linear, but far too slow for this text. */
  const SLOW_PATTERN = "(((.{0,90}){0,10}))z";
  const SLOW_TEXT = `${"dogs, ".repeat(60_000)}z`;
  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
  const bomb = Array.from(
    { length: 30 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(", ")}]`,
  );
  const entities = Array.from(
    { length: 30 },
    (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(9)}">`,
  );
  const recursive = { properties: { a: { $ref: "#" } }, additionalProperties: false };

  test.each<[string, string, Requirement, boolean]>([
    [
      "a backtracking pattern",
      `${"a".repeat(50_000)}!`,
      { check: "matches", pattern: "(a+)+$" },
      false,
    ],
    ["deep JSON", deep('{"a":', "}").replace(":}", ":1}"), { check: "json" }, true],
    [
      "a schema that recurses into deep JSON",
      deep('{"a":', "}").replace(":}", ":1}"),
      { check: "json", schema: recursive },
      false,
    ],
    ["deep arrays", deep("[", "]"), { check: "json", schema: { items: { $ref: "#" } } }, false],
    ["deep YAML", deep("[", "]"), { check: "yaml" }, false],
    ["many YAML aliases", ["a0: &a0 [x]", ...bomb].join("\n"), { check: "yaml" }, false],
    [
      "many XML entities",
      `<!DOCTYPE a [<!ENTITY a0 "x">${entities.join("")}]><a>&a30;</a>`,
      { check: "xml" },
      false,
    ],
    ["deep HTML", `${"<div>".repeat(100_000)}`, { check: "html" }, false],
    ["a text without spaces", "x".repeat(500_000), { check: "word-count", max: 1 }, true],
    ["Chinese without spaces", "国".repeat(500_000), { check: "word-count", max: 1 }, false],
    [
      "a hundred thousand marks",
      `a${"\u0301\u0316".repeat(50_000)}`,
      { check: "contains", phrases: ["b"] },
      false,
    ],
    ["a text of brackets", "[(".repeat(250_000), { check: "sentence-count", min: 1 }, false],
    ["a text of quotation marks", '"'.repeat(500_000), { check: "csv" }, false],
    ["a text of bars", "|-".repeat(250_000), { check: "markdown-table" }, false],
    ["a text of fences", "```\n".repeat(125_000), { check: "code-block", language: "js" }, false],
    ["a text of dashes", "-\n".repeat(250_000), { check: "sections", titles: ["x"] }, false],
    ["a text of links", "https://a.b/c ".repeat(35_000), { check: "links-respond", min: 2 }, false],
    [
      "a text of quotations",
      `“a b c d e f g” (${PAGE}) `.repeat(10_000),
      { check: "quotes-found" },
      false,
    ],
  ])("%s", async (_, text, requirement, passed) => {
    expect(await decideOne(text, requirement)).toMatchObject({ passed });
    // The threads are there for others.
    expect(await decideOne("a b", { check: "word-count", max: 2 })).toMatchObject({ passed: true });
  });

  test("a requirement over the limits fails, and after three also those that come later", async () => {
    const slow: Requirement = { check: "matches", pattern: SLOW_PATTERN, min: 1 };
    const results = await createIo().decide(deliver(SLOW_TEXT), [
      { check: "word-count", max: 60_001 },
      ...Array.from({ length: 5 }, () => slow),
      { check: "max-bytes", bytes: 1_000_000 },
    ]);
    expect(results[0]).toMatchObject({ passed: true });
    const late = { passed: false, observed: "could not be decided within the limits" };
    expect(results.slice(1)).toMatchObject(Array(6).fill(late));
  });
});

describe("requirements that can't be decided", () => {
  beforeAll(() => findInvalidRequirement([]));

  test.each<[Requirement, (string | number)[], RegExp]>([
    [{ check: "matches", pattern: "(?=a)" }, [1, "pattern"], /RE2/],
    [{ check: "matches", pattern: "(a)\\1" }, [1, "pattern"], /RE2/],
    [{ check: "matches", pattern: "((a{1,100}){1,10}){1,9}" }, [1, "pattern"], /RE2/],
    [{ check: "matches", pattern: "(.{0,90}){0,10}".repeat(3) }, [1, "pattern"], /too large/],
    [{ check: "json", schema: { type: "text" } }, [1, "schema", "type"], /allowed values|must/],
    [
      { check: "json", schema: { properties: { "a/b": { pattern: "(?=a)" } } } },
      [1, "schema", "properties", "a/b", "pattern"],
      /RE2/,
    ],
    [
      { check: "json", schema: { patternProperties: { "(?=a)": {} } } },
      [1, "schema", "patternProperties"],
      /RE2/,
    ],
    [
      { check: "json", schema: { $ref: "https://example.org/schema" } },
      [1, "schema", "$ref"],
      /must refer to this schema/,
    ],
    [{ check: "json", schema: { $ref: "#/$defs/missing" } }, [1, "schema"], /resolve|missing/],
    [{ check: "json", schema: { $ref: "#" } }, [1, "schema"], /never ends/],
    [
      {
        check: "json",
        schema: {
          $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
        },
      },
      [1, "schema"],
      /never ends/,
    ],
    [{ check: "json", schema: { $async: true } }, [1, "schema", "$async"], /not supported/],
    [{ check: "json", schema: { $id: "x" } }, [1, "schema", "$id"], /not supported/],
    [{ check: "json", schema: { $schema: "http://x" } }, [1, "schema", "$schema"], /2020-12/],
    [
      { check: "json", schema: { items: Array.from({ length: 2_001 }, () => ({})) } },
      expect.arrayContaining([1, "schema"]) as never,
      /too large/,
    ],
    [
      { check: "json", schema: JSON.parse(`${'{"not":'.repeat(40)}{}${"}".repeat(40)}`) },
      expect.arrayContaining([1, "schema"]) as never,
      /too deeply/,
    ],
    [{ check: "language", tag: "xx" }, [1, "tag"], /must be one of/],
  ])("%j", async (requirement, path, detail) => {
    const found = await findInvalidRequirement([{ check: "yaml" }, requirement]);
    expect(found).toEqual({ path, detail: expect.stringMatching(detail) });
  });

  test.each<[Requirement]>([
    [{ check: "json", schema: { properties: { $id: {}, $ref: { type: "string" } } } }],
    [{ check: "json", schema: { properties: { next: { $ref: "#" } } } }],
    [{ check: "json", schema: { $defs: { a: {} }, anyOf: [{ $ref: "#/$defs/a" }] } }],
    [{ check: "json", schema: { enum: [{ $id: "data" }], pattern: "^[a-z]+$" } }],
    [{ check: "language", tag: "nb-NO" }],
    [{ check: "matches", pattern: "(?i)total: \\d{1,4}" }],
  ])("%j can be decided", async (requirement) => {
    expect(await findInvalidRequirement([requirement])).toBeNull();
  });
});
