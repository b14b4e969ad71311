import { expect, test } from "vitest";
import {
  combineLoads,
  formatPages,
  GOAL,
  isIncompleteRecording,
  type LoadResult,
  listMisses,
  readReport,
} from "./page-result";

const load = (performance: number, accessibility = 100): LoadResult => ({
  scores: { performance, accessibility, "best-practices": 100, seo: 100 },
  faults: [],
});

test("takes the median performance and the worst of the other scores", () => {
  expect(combineLoads("home", [load(60, 100), load(97, 94), load(99)])).toEqual({
    page: "home",
    performance: 97,
    accessibility: 94,
    "best-practices": 100,
    seo: 100,
  });
});

test("lists scores below the goal, and formats all as a table", () => {
  const home = combineLoads("home", [load(GOAL)]);
  const agent = combineLoads("agent", [load(GOAL - 1, GOAL - 2)]);
  expect(listMisses([home])).toEqual([]);
  expect(listMisses([home, agent])).toEqual([
    `agent: performance ${GOAL - 1}`,
    `agent: accessibility ${GOAL - 2}`,
  ]);
  expect(formatPages([home, agent])).toMatchInlineSnapshot(`
    "page   performance  accessibility  best-practices  seo
    home            95            100             100  100
    agent           94             93             100  100"
  `);
});

const audit = (score: number | null, displayValue?: string) =>
  ({ title: "Title", score, displayValue }) as never;

const report = () => ({
  categories: {
    performance: { score: 0.984, auditRefs: [{ id: "total-blocking-time", weight: 30 }] },
    accessibility: { score: 1, auditRefs: [{ id: "color-contrast", weight: 7 }] },
    "best-practices": { score: 0.96, auditRefs: [{ id: "errors-in-console", weight: 1 }] },
    seo: {
      score: 1,
      auditRefs: [
        { id: "canonical", weight: 1 },
        { id: "informative", weight: 0 },
      ],
    },
  } as never,
  audits: {
    "total-blocking-time": audit(0.95, "120 ms"),
    "color-contrast": audit(1),
    "errors-in-console": audit(0),
    canonical: audit(null),
    informative: audit(0),
  },
});

test("reads scores and faults", () => {
  expect(readReport(report())).toEqual({
    scores: { performance: 98, accessibility: 100, "best-practices": 96, seo: 100 },
    faults: ["performance: Title (120 ms)", "best-practices: Title"],
  });
});

test("throws if a page did not load or was not scored", () => {
  const runtimeError = { code: "NO_FCP", message: "The page did not paint any content." };
  expect(() => readReport({ ...report(), runtimeError })).toThrow("did not paint");
  const unscored = { performance: { score: null, auditRefs: [] } } as never;
  expect(() => readReport({ ...report(), categories: unscored })).toThrow("no performance");
});

test("tells an incomplete recording from a page that did not load", () => {
  const withError = (code: string) => ({ runtimeError: { code, message: "" } });
  expect(isIncompleteRecording(withError("NO_DCL"))).toBe(true);
  expect(isIncompleteRecording(withError("NO_FCP"))).toBe(false);
  expect(isIncompleteRecording({})).toBe(false);
});
