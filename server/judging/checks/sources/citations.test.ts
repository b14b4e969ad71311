import { describe, expect, test } from "vitest";
import { createBuiltinJudge } from "@/server/judging/checks/builtin-judge";
import { createCheckIo, createCheckRunner } from "@/server/judging/checks/run-checks";
import { ALL_CHECKS_DECIDE } from "@/server/testing/fixtures/check-confidence";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { toCanonical } from "@/server/testing/model/canonical-case";
import { listCitations, listReferenceSections, listSources, wantsSources } from "./citations";

const listUrls = (text: string) => listCitations(text).map(({ url }) => url);

describe("citations", () => {
  test.each<[string, string[]]>([
    ["See https://who.int/a.", ["https://who.int/a"]],
    ["(https://who.int/a), (see https://who.int/b).", ["https://who.int/a", "https://who.int/b"]],
    ["https://who.int/Mercury_(planet)", ["https://who.int/Mercury_(planet)"]],
    ["[WHO](https://who.int/x_(y)), then", ["https://who.int/x_(y)"]],
    ["[https://who.int/a](https://who.int/a)", ["https://who.int/a"]],
    ["**https://who.int/a**; _https://who.int/b_", ["https://who.int/a", "https://who.int/b"]],
    ["<https://who.int/a#part>", ["https://who.int/a"]],
    ["“https://who.int/a”", ["https://who.int/a"]],
    ["doi:10.1038/nature12373.", ["https://doi.org/10.1038/nature12373"]],
    ["https://doi.org/10.1000/abc", ["https://doi.org/10.1000/abc"]],
  ])("are found without the punctuation around them: %s", (text, urls) => {
    expect(listUrls(text)).toEqual(urls);
  });

  test.each([
    "`https://who.int/a`",
    "```\ncurl https://who.int/a\n```",
    "https://example.com/a",
    "https://www.example.org/a",
    "https://shop.example/a",
    "https://api.acme-shop.io/users",
    "https://your-company.com/a",
    "https://who.int/{id}",
    "https://who.int/users/:id",
    "https://who.int/<name>",
    "https://who.int/...",
    "https://user:secret@who.int/a",
    "https://",
    "Version 10.12 of the form",
  ])("leave out code, examples and templates: %s", (text) => {
    expect(listUrls(text)).toEqual([]);
  });

  test("have their offsets", () => {
    const text = "`x` At (https://who.int/a).";
    expect(listCitations(text).map(({ from, to }) => text.slice(from, to))).toEqual([
      "https://who.int/a",
    ]);
  });

  test("are bounded in number", () => {
    const text = Array.from({ length: 5_000 }, (_, at) => `https://who.int/${at}`).join("\n");
    expect(listCitations(text)).toHaveLength(200);
  });
});

describe("sources", () => {
  const listSourceUrls = (task: string, text: string, category = "content" as const) =>
    listSources({ task, category, text }).map(({ url }) => url);
  const LINK = "https://who.int/a";

  test.each([
    `According to ${LINK}, sales rose.`,
    `Source: ${LINK}`,
    `A study (${LINK}) disagrees.`,
    `Retrieved from ${LINK}`,
    `For details see ${LINK}`,
    `Official information: ${LINK}`,
    `[1] WHO. ${LINK}`,
    `## References\n\n- ${LINK}`,
    `**Sources:**\n1. ${LINK}`,
  ])("are links that the deliverable presents as sources: %s", (text) => {
    expect(listSourceUrls("Write an essay.", text)).toEqual([LINK]);
  });

  test.each([
    `Shop now: ${LINK}`,
    `Visit ${LINK}`,
    `## References\n\nNone.\n\n## Contact\n${LINK}`,
  ])("are not links of another purpose: %s", (text) =>
    expect(listSourceUrls("Write a newsletter.", text)).toEqual([]),
  );

  test("are all links if the task asks for a link", () => {
    expect(listSourceUrls("Recommend a guide and link to it.", `Start here: ${LINK}`)).toEqual([
      LINK,
    ]);
  });

  test("are all links if the task wants sources", () => {
    expect(listSourceUrls("Write an essay. Cite your sources.", `See ${LINK}.`)).toEqual([LINK]);
    expect(listSources({ task: "", category: "research", text: LINK })).toHaveLength(1);
  });

  test("do not include what the task names itself", () => {
    expect(listSourceUrls(`Summarise ${LINK}. Cite sources.`, `See ${LINK}.`)).toEqual([]);
  });

  test.each<[string, boolean]>([
    ["Cite your sources.", true],
    ["Support it with credible sources.", true],
    ["Use footnotes.", true],
    ["If you cite, use footnotes.", false],
    ["List renewable energy sources.", false],
    ["Review the source code.", false],
  ])("are wanted by %j: %s", (task, isWanted) => {
    expect(wantsSources(task, "content")).toBe(isWanted);
  });

  test("end with their section", () => {
    const text = "Intro\n# Sources\na\nb\n# Next\nc\nReferences:\nd";
    expect(listReferenceSections(text).map(({ from, to }) => text.slice(from, to))).toEqual([
      "a\nb\n",
      "d",
    ]);
  });
});

const judge = createBuiltinJudge(
  createCheckRunner(createCheckIo({ allowLoopback: true })),
  ALL_CHECKS_DECIDE,
);
const PAGE = "<h1>Heat</h1><p>In 2023 the oceans absorbed more heat than in any earlier year.</p>";

/** Judges a report that cites pages of a server with one page, `/heat`. */
async function judgeReport(write: (url: string) => string) {
  const { url, seen } = await startHttpServer((request, response) => {
    const isFound = request.url === "/heat";
    response.writeHead(isFound ? 200 : 404, { "content-type": "text/html" });
    response.end(isFound ? PAGE : "");
  });
  const input = toCanonical({
    task: "Report on the warming of the oceans. Cite your sources.",
    category: "research",
    deliverable: { kind: "text", text: write(url), source: "content" },
  });
  const judgement = await judge.judge(input);
  return { ...judgement, requests: seen.map((request) => request.url) };
}

test.each<[string, (url: string) => string]>([
  ["whose page exists", (url) => `The oceans are warming (${url}/heat).`],
  [
    "with a quotation from it",
    (url) => `“The oceans absorbed more heat than in any earlier year” (${url}/heat).`,
  ],
  ["whose server is down", () => "The oceans are warming (http://127.0.0.1:1024/heat)."],
])("the judge passes a citation %s", async (_, write) => {
  expect(await judgeReport(write)).toMatchObject({ verdict: "SUCCESS" });
});

test.each<[string, (url: string) => string, string]>([
  ["whose page is missing", (url) => `The oceans are warming (${url}/cold).`, "1 missing"],
  [
    "with an altered quotation",
    (url) => `“The oceans absorbed less heat than in any earlier year” (${url}/heat).`,
    "1 not found",
  ],
])("the judge fails a citation %s, without naming it", async (_, write, observed) => {
  const { verdict, reasoning } = await judgeReport(write);
  expect(verdict).toBe("FAILURE");
  expect(reasoning).toContain(observed);
  expect(reasoning).not.toMatch(/127|oceans/);
});

test("each page is fetched once for all checks", async () => {
  const { requests } = await judgeReport(
    (url) => `“The oceans absorbed more heat than in any earlier year” (${url}/heat).`,
  );
  expect(requests).toEqual(["/heat"]);
});
