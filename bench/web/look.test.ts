import { expect, test } from "vitest";
import { lookFrom } from "./look";

const audit = (score: number | null, numericValue?: number, displayValue?: string) =>
  ({ title: "Title", score, numericValue, displayValue }) as never;

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
    "first-contentful-paint": audit(1, 900.4),
    "largest-contentful-paint": audit(0.97, 1900.2),
    "total-blocking-time": audit(0.95, 120, "120 ms"),
    "cumulative-layout-shift": audit(1, 0.012),
    "color-contrast": audit(1),
    "errors-in-console": audit(0),
    canonical: audit(null),
    informative: audit(0),
  },
});

test("reads scores, timings and what cost points", () => {
  expect(lookFrom(report())).toEqual({
    scores: { performance: 98, accessibility: 100, "best-practices": 96, seo: 100 },
    timings: {
      "first-contentful-paint": 900.4,
      "largest-contentful-paint": 1900.2,
      "total-blocking-time": 120,
      "cumulative-layout-shift": 0.012,
    },
    faults: ["performance: Title (120 ms)", "best-practices: Title"],
  });
});

test("a page that did not load or cannot be scored is no result", () => {
  const runtimeError = { code: "NO_FCP", message: "The page did not paint any content." };
  expect(() => lookFrom({ ...report(), runtimeError })).toThrow("did not paint");
  const unscored = report();
  unscored.categories = { performance: { score: null, auditRefs: [] } } as never;
  expect(() => lookFrom(unscored)).toThrow("no performance");
  const unmeasured = report();
  unmeasured.audits["total-blocking-time"] = audit(null);
  expect(() => lookFrom(unmeasured)).toThrow("no total-blocking-time");
});
