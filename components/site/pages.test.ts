import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listExamples } from "@/scripts/lib/example-pages";
import { findPageParameters } from "./page-parameters";
import { PAGES } from "./pages";

test("PAGES lists every page of app/", () => {
  const routes = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file}`.replace(/\/\([^)]+\)|\/page\.tsx$/g, "") || "/");
  expect(PAGES.map(({ route }) => route).sort()).toEqual(routes.sort());
});

const RECORDS = { agent: "/agents/0x1", outcome: "/outcomes/1", dispute: "/disputes/1" };

test.each(PAGES)("$route is public unless it is an owner's or live", (page) => {
  for (const path of listExamples(page.route, RECORDS)) {
    const { pathname, searchParams } = new URL(path, "http://a.example");
    const parameters = findPageParameters(pathname);
    expect([path, parameters !== null]).toEqual([path, !page.isOwnerPage && !page.isLive]);
    for (const name of searchParams.keys()) expect(parameters, path).toContain(name);
  }
});

test("files and data are no public pages", () => {
  const paths = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)(route\.ts|\w+(-\w+)?\.tsx)$/.test(file) && !file.endsWith("page.tsx"))
    .map((file) => `/${file}`.replace(/\/\([^)]+\)|\/route\.ts$|\.tsx$/g, ""));
  expect(paths).toContain("/exports/[list]");
  expect(paths.filter(findPageParameters)).toEqual([]);
});

test("a public page has parameters if it reads the query", () => {
  for (const file of readdirSync("app", { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith("page.tsx") || /^\(account\)|^email/.test(file)) continue;
    const route = `/${file}`.replace(/\/\([^)]+\)|\/page\.tsx$/g, "") || "/";
    const readsQuery =
      readFileSync(`app/${file}`, "utf8").match(/searchParams|from ".*\/page"/) !== null;
    const parameters = findPageParameters(route.replace("[category]", "legal"));
    expect([route, (parameters ?? []).length > 0]).toEqual([route, readsQuery]);
  }
});
