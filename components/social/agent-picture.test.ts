import { hash } from "node:crypto";
import { createElement } from "react";
import { expect, test } from "vitest";
import { renderSocialPicture } from "@/server/pages/social-picture";
import { AgentPicture, getAgentPictureKey } from "./agent-picture";
import { PICTURE_SIZE } from "./picture";

const walletAddress = `0x${"a".repeat(40)}`;

async function draw(
  name: string,
  score: number,
  lastUpdated: string,
  label = "Use escrow",
): Promise<string> {
  const profile = {
    walletAddress,
    agent: { name, simulated: false },
    recommendation: { action: "use-escrow", label },
    reputation: { score, tier: "NEWCOMER", totalOutcomes: 3, lastUpdated },
  } as unknown as Parameters<typeof getAgentPictureKey>[0];
  const response = await renderSocialPicture({
    key: getAgentPictureKey(profile),
    draw: (hasGlyph) => createElement(AgentPicture, { profile, hasGlyph }),
    size: PICTURE_SIZE,
  });
  return hash("sha256", Buffer.from(await response.arrayBuffer()));
}

test("an agent's picture is kept by wallet, score and recommendation", async () => {
  const first = await draw("Ada", 40, "2026-11-01T00:00:00.000Z");
  expect(await draw("Another name", 40, "2026-11-02T00:00:00.000Z")).toEqual(first);
  expect(await draw("Ada", 41, "2026-11-01T00:00:00.000Z")).not.toEqual(first);
  expect(await draw("Ada", 40, "2026-11-01T00:00:00.000Z", "Do not hire")).not.toEqual(first);
});
