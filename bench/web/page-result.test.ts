import { expect, test } from "vitest";
import type { Look } from "./look";
import { GOAL, missedBy, pageResult, webTable } from "./page-result";

const look = (performance: number, accessibility = 100, blocked = 100): Look => ({
  scores: { performance, accessibility, "best-practices": 100, seo: 100 },
  timings: {
    "first-contentful-paint": 900.4,
    "largest-contentful-paint": 1900.6,
    "total-blocking-time": blocked,
    "cumulative-layout-shift": 0.0124,
  },
  faults: [],
});

test("the median load counts, and the worst look for what does not differ by load", () => {
  const { scores, timings } = pageResult("home", [look(60, 100, 900), look(97, 94), look(99)]);
  expect(scores).toEqual({
    performance: 97,
    accessibility: 94,
    "best-practices": 100,
    seo: 100,
  });
  expect(timings).toEqual({
    "first-contentful-paint": 900,
    "largest-contentful-paint": 1901,
    "total-blocking-time": 100,
    "cumulative-layout-shift": 0.012,
  });
});

test("what is below the goal is named, and nothing at it", () => {
  const home = pageResult("home", [look(GOAL)]);
  const agent = pageResult("agent", [look(GOAL - 1, GOAL - 2)]);
  expect(missedBy([home])).toEqual([]);
  expect(missedBy([home, agent])).toEqual([
    `agent: performance ${GOAL - 1}`,
    `agent: accessibility ${GOAL - 2}`,
  ]);
});

test("the table stands in columns", () => {
  const lines = webTable([pageResult("home", [look(97)]), pageResult("agent", [look(9)])]);
  expect(lines).toMatchInlineSnapshot(`
    "page   performance  accessibility  best practices  SEO  first paint  largest paint  blocked  shift
    home            97            100             100  100       900 ms        1901 ms   100 ms  0.012
    agent            9            100             100  100       900 ms        1901 ms   100 ms  0.012"
  `);
});
