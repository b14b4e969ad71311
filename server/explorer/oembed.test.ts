import { describe, expect, test } from "vitest";
import { createOembed, getOembedUrl, parseEmbedUrl } from "./oembed";

const SITE = "https://standing.example";
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

describe("the address to embed", () => {
  test("is a profile or an outcome of this service", () => {
    expect(parseEmbedUrl(`${SITE}/agents/${WALLET}?range=30d`, SITE)).toEqual({
      kind: "agent",
      id: WALLET,
    });
    const id = "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10";
    expect(parseEmbedUrl(`${SITE}/outcomes/${id}/`, SITE)).toEqual({ kind: "outcome", id });
  });

  test("comes back from the URL in the page's head", () => {
    const url = new URL(getOembedUrl(SITE, `/agents/${WALLET}`));
    expect(url.pathname).toBe("/oembed");
    expect(parseEmbedUrl(url.searchParams.get("url") ?? "", SITE)?.id).toBe(WALLET);
  });

  test.each([
    `https://other.example/agents/${WALLET}`,
    `${SITE}.other.example/agents/${WALLET}`,
    `${SITE}/leaderboard`,
    `${SITE}/agents/${WALLET}/feed.xml`,
    "/agents/x",
    "javascript:alert(1)",
  ])("is nothing else: %s", (url) => {
    expect(parseEmbedUrl(url, SITE)).toBeNull();
  });
});

test("an embed escapes untrusted names and respects the width of the site", () => {
  const facts = {
    title: "<script>alert(1)</script>",
    description: '"quoted" & more',
    agent: "<b>",
    agentPath: `/agents/${WALLET}`,
    path: `/agents/${WALLET}`,
  };
  const embed = createOembed(facts, SITE, 320);
  expect(embed.html).toBe(
    `<blockquote cite="${SITE}/agents/${WALLET}"><p><a href="${SITE}/agents/${WALLET}">&lt;script&gt;alert(1)&lt;/script&gt;</a></p><p>&quot;quoted&quot; &amp; more</p></blockquote>`,
  );
  expect([embed.width, createOembed(facts, SITE).width]).toEqual([320, 480]);
});
