import { expect, test } from "vitest";
import { createBuiltinJudge } from "@/server/judging/checks/builtin-judge";
import { createCheckIo, createCheckRunner } from "@/server/judging/checks/run-checks";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { toCanonical } from "@/server/testing/model/canonical-case";

const judge = createBuiltinJudge(createCheckRunner(createCheckIo({ allowLoopback: true })));
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
    "0 of 1 quotations found",
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
