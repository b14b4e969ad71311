import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Breadcrumbs } from "./breadcrumbs";

const trail = {
  origin: "https://standing.example",
  parents: [{ label: "Leaderboard", path: "/leaderboard" }],
  current: "</script><b>\u202Efinance",
};

test("links to the pages above and names the current one", () => {
  const html = renderToStaticMarkup(createElement(Breadcrumbs, trail));
  expect(html).toContain('href="/leaderboard"');
  expect(html).toMatch(/<li aria-current="page"[^>]*><bdi>&lt;\/script&gt;/);
});

test("structured data has absolute URLs, and a name can't end its script", () => {
  const html = renderToStaticMarkup(createElement(Breadcrumbs, trail));
  const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
  expect(data).not.toContain("<");
  expect(JSON.parse(data).itemListElement).toEqual([
    {
      "@type": "ListItem",
      position: 1,
      name: "Leaderboard",
      item: "https://standing.example/leaderboard",
    },
    { "@type": "ListItem", position: 2, name: "</script><b>finance" },
  ]);
});
