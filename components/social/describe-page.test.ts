import { expect, test } from "vitest";
import { describePage } from "./describe-page";

test("a page names its canonical URL, its picture and what the picture shows", () => {
  const page = { path: "/agents/0x1", title: "Ada", description: "Ada: score 81.00" };
  expect(describePage({ ...page, types: { "application/atom+xml": "/feed" } })).toMatchObject({
    title: "Ada",
    description: "Ada: score 81.00",
    alternates: { canonical: "/agents/0x1", types: { "application/atom+xml": "/feed" } },
    openGraph: {
      siteName: "Standing",
      url: "/agents/0x1",
      images: [{ url: "/pictures/agents/0x1", alt: "Ada: score 81.00", width: 1200 }],
    },
  });
  const other = describePage({ ...page, picture: "/compare/0x1,0x2" });
  expect(other.openGraph?.images).toMatchObject([{ url: "/pictures/compare/0x1,0x2" }]);
});
