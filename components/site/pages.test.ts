import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { listExamples, PAGES } from "./pages";
import { isPublicPage } from "./public-pages";

test("PAGES lists every page of app/", () => {
  const routes = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file}`.replace(/\/\([^)]+\)|\/page\.tsx$/g, "") || "/");
  expect(PAGES.map(({ route }) => route).sort()).toEqual(routes.sort());
});

const RECORDS = { agent: "/agents/0x1", outcome: "/outcomes/1", dispute: "/disputes/1" };

test.each(PAGES)("$route is public unless it is an owner's or live", (page) => {
  for (const path of listExamples(page, RECORDS)) {
    expect([path, isPublicPage(path.split("?")[0] ?? "")]).toEqual([
      path,
      !page.isOwnerPage && !page.isLive,
    ]);
  }
});

test("files and data are no public pages", () => {
  const paths = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)(route\.ts|\w+(-\w+)?\.tsx)$/.test(file) && !file.endsWith("page.tsx"))
    .map((file) => `/${file}`.replace(/\/\([^)]+\)|\/route\.ts$|\.tsx$/g, ""));
  expect(paths).toContain("/leaderboard/export");
  expect(paths.filter(isPublicPage)).toEqual([]);
});
