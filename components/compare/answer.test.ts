import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { buildUrl } from "@/server/lib/build-url";
import { Answer, findBest, toChoice } from "./answer";
import type { ComparedAgent } from "./compare-table";
import { buildCompareUrl, buildLeaderboardUrl, describeJob, type Job } from "./job";

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
const NEW = agent("New", "use-escrow", 7, 7);

const listChoices = (agents: ComparedAgent[], job: Job) => agents.map((one) => toChoice(one, job));
const find = (agents: ComparedAgent[], job: Job) => findBest(listChoices(agents, job))?.name;

test("the kindest recommendation decides, then the score in the category", () => {
  expect(find(AGENTS, {})).toBe("High");
  expect(find(AGENTS, { category: "content" })).toBe("Specialist");
  expect(find(AGENTS.slice(0, 2), {})).toBe("Escrow");
  expect(find(AGENTS.slice(1, 2), {})).toBeUndefined();
  expect(find(AGENTS, { category: "legal" })).toBeUndefined();
  expect(find([NEW], { category: "content" })).toBeUndefined();
});

const CODE = { category: "code-review", valueUsdc: 300 } as const;
const CONTENT = { category: "content", valueUsdc: 300 } as const;

test.each([
  [AGENTS, CODE, true, "None of these has done code review work."],
  [AGENTS.slice(0, 1), CODE, true, "This agent has not done code review work."],
  [[], CODE, false, "No agent has done code review work."],
  [[NEW], CONTENT, true, "This agent has not shown enough evidence for 300 USDC of content yet."],
  [[NEW, NEW], {}, true, "None of these has shown enough evidence yet."],
  [[NEW], { valueUsdc: 300 }, false, "No agent has shown enough evidence for 300 USDC yet."],
  [AGENTS.slice(1, 2), CONTENT, true, "Do not hire this agent."],
])("that no agent fits is said with the reason", (agents, job, isAmongThese, text) => {
  const props = { choices: listChoices(agents, job), job, isAmongThese };
  expect(renderToStaticMarkup(Answer(props))).toContain(text);
});

test("a limit below the value is named", () => {
  const summary = "Use escrow: its record covers 60 of the 300 USDC.";
  const recommendation = { action: "use-escrow", label: "Use escrow", summary };
  const one = { ...agent("Escrow", "use-escrow", 99, 99), recommendation } as ComparedAgent;
  const props = { choices: listChoices([one], CONTENT), job: CONTENT, isAmongThese: true };
  expect(renderToStaticMarkup(Answer(props))).toContain(
    "Only with escrow</a>: its record covers 60 of the 300 USDC<",
  );
});

test.each([
  [{ valueUsdc: 300, category: "code-review" }, "300 USDC of code review"],
  [{ valueUsdc: 1_250.5 }, "1,250.50 USDC"],
  [{ category: "ops" }, "operations"],
  [{}, ""],
] as const)("the job %j is described, and kept in the URL", (job, text) => {
  expect(describeJob(job)).toBe(text);
  const { category = "", ...query } = { category: undefined, ...job };
  expect(buildLeaderboardUrl(job)).toBe(
    buildUrl(`/leaderboard${category && `/${category}`}`, query),
  );
  const url = new URL(buildCompareUrl(["0x1", "0x2"], job), "https://standing.example");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    agents: "0x1,0x2",
    ...("valueUsdc" in job && { valueUsdc: String(job.valueUsdc) }),
    ...("category" in job && { category: job.category }),
  });
});
