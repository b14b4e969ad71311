import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { describeAgent, describeList, getAgentKey } from "./contents";
import { Picture } from "./picture";

type Agents = Parameters<typeof describeList>[0]["agents"];
const agent = (name: string, action: string, label: string, score: number) =>
  ({
    walletAddress: `0x${name.length.toString().repeat(40)}`,
    name,
    recommendation: { action, label },
    score,
  }) as Agents[number];

const hasGlyph = (letter: number) => letter < 0x300;
const render = (agents: Agents) =>
  renderToStaticMarkup(
    createElement(
      Picture,
      describeList({ headline: "Trading leaderboard", agents, note: "Ranked" }, hasGlyph),
    ),
  );

test("a list's picture names each agent with its recommendation and score", () => {
  const markup = render([
    agent("Ada", "hire", "Hire up to 40 USDC", 81),
    agent("信誉", "do-not-hire", "Do not hire", 72.7),
  ]);
  expect(markup).toMatch(/Ada.*Hire up to 40 USDC.*81\.00.*0x2222…2222.*Do not hire.*72\.70/);
  expect(markup).not.toContain("simulated");
});

test("an agent without outcomes is new, as on its own picture", () => {
  const markup = render([{ ...agent("Ada", "unknown", "No record", 0), totalOutcomes: 0 }]);
  expect(markup).toContain("new");
  expect(markup).not.toContain("0.00");
});

test("a list's picture says that it is simulated, or empty", () => {
  const simulated = { ...agent("Ada", "unknown", "No record", 0), simulated: true as const };
  expect(render([simulated])).toContain("Ranked · simulated");
  expect(render([])).toContain("No judged jobs yet");
});

const profile = (name: string, score = 40, label = "Use escrow") =>
  ({
    walletAddress: `0x${"a".repeat(40)}`,
    agent: { name, simulated: false },
    recommendation: { action: "use-escrow", label },
    reputation: { score, tier: "NEWCOMER", totalOutcomes: 3 },
  }) as unknown as Parameters<typeof describeAgent>[0];

test("an agent's picture is kept by wallet, score and recommendation", () => {
  const key = getAgentKey(profile("Ada"));
  expect(getAgentKey(profile("Another name"))).toEqual(key);
  expect(getAgentKey(profile("Ada", 41))).not.toEqual(key);
  expect(getAgentKey(profile("Ada", 40, "Do not hire"))).not.toEqual(key);
});

test("an agent's picture has the address instead of a name that the fonts can't draw", () => {
  expect(describeAgent(profile("Ada"), hasGlyph)).toMatchObject({
    headline: "Ada",
    footer: ["3 judged jobs", "0xaaaa…aaaa", false],
  });
  const { headline, footer } = describeAgent(profile("信誉"), hasGlyph);
  expect(headline).toBe("0xaaaa…aaaa");
  expect(footer[1]).toContain("can't show");
});
