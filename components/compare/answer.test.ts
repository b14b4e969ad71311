import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Answer, findBestFor } from "./answer";
import type { ComparedAgent } from "./compare-table";
import { buildCompareUrl, describeJob } from "./job";

const agent = (name: string, action: string, score: number, content: number) =>
  ({
    agent: { name },
    recommendation: { action },
    reputation: { score, categoryScores: { content } },
  }) as unknown as ComparedAgent;

const AGENTS = [
  agent("Escrow", "use-escrow", 99, 99),
  agent("Risky", "do-not-hire", 98, 98),
  agent("High", "hire", 90, 40),
  agent("Specialist", "hire", 80, 70),
];

test("the kindest recommendation decides, then the score in the category", () => {
  expect(findBestFor(AGENTS, {})?.name).toBe("High");
  expect(findBestFor(AGENTS, { category: "content" })?.name).toBe("Specialist");
  expect(findBestFor(AGENTS.slice(0, 2), {})?.name).toBe("Escrow");
  expect(findBestFor(AGENTS.slice(1, 2), {})).toBeUndefined();
  expect(findBestFor(AGENTS, { category: "legal" })).toBeUndefined();
});

test.each([
  [AGENTS, "None of these has done code review work."],
  [AGENTS.slice(0, 1), "This agent has not done code review work."],
])("work that none of the agents did is said so", (agents, text) => {
  const job = { category: "code-review", valueUsdc: 50_000 } as const;
  const best = findBestFor(agents, job);
  expect(renderToStaticMarkup(Answer({ best, job, agents }))).toContain(text);
});

test.each([
  [{ valueUsdc: 300, category: "code-review" }, "300 USDC of code review"],
  [{ valueUsdc: 1_250.5 }, "1,250.50 USDC"],
  [{ category: "ops" }, "operations"],
  [{}, ""],
] as const)("the job %j is described, and kept in the URL", (job, text) => {
  expect(describeJob(job)).toBe(text);
  const url = new URL(buildCompareUrl(["0x1", "0x2"], job), "https://standing.example");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    agents: "0x1,0x2",
    ...("valueUsdc" in job && { valueUsdc: String(job.valueUsdc) }),
    ...("category" in job && { category: job.category }),
  });
});
