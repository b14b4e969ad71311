import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ListPage } from "./list-page";
import { MissingPage } from "./missing-page";

const render = (page: number, totalPages: number) =>
  renderToStaticMarkup(
    ListPage({
      counts: { page, totalPages, totalElements: totalPages * 25 },
      path: "/list",
      children: "rows",
    }),
  );

test("a page after the last is not found, the first of an empty list is", () => {
  expect(render(0, 0)).toContain("rows");
  expect(render(2, 3)).toContain("rows");
  expect(() => render(3, 3)).toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
  expect(() => render(1, 0)).toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
});

test("a missing page says how many there are, and links to the last", () => {
  const missing = new MissingPage({ page: 99, totalPages: 3, href: "/list?page=3" });
  missing.state = MissingPage.getDerivedStateFromError();
  const html = renderToStaticMarkup(missing.render());
  expect(html).toContain("Page 99 doesn&#x27;t exist: there are 3.");
  expect(html).toContain('href="/list?page=3"');
});
