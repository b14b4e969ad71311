import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ListPicture } from "./list-picture";

type Agents = Parameters<typeof ListPicture>[0]["agents"];
const agent = (name: string, action: string, label: string, score: number) =>
  ({
    walletAddress: `0x${name.length.toString().repeat(40)}`,
    name,
    recommendation: { action, label },
    score,
  }) as Agents[number];

const render = (agents: Agents) =>
  renderToStaticMarkup(
    createElement(ListPicture, {
      title: "Trading leaderboard",
      agents,
      footer: "Ranked",
      hasGlyph: (letter: number) => letter < 0x300,
    }),
  );

test("a list's picture names each agent with its recommendation and score", () => {
  const markup = render([
    agent("Ada", "hire-with-limit", "Hire up to 40 USDC", 81),
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
  expect(render([])).toContain("No judged outcomes yet");
});
