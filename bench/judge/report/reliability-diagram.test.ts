import { parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import { reliabilityBins } from "@/bench/judge/statistics/metrics";
import { drawReliability } from "./reliability-diagram";

const cases = [
  { confidence: 0.55, label: "SUCCESS", verdict: "SUCCESS" },
  { confidence: 0.58, label: "FAILURE", verdict: "SUCCESS" },
  { confidence: 1, label: "FAILURE", verdict: "FAILURE" },
].map(
  (one) => ({ ...one, id: "", category: "ops" }) as Parameters<typeof reliabilityBins>[0][number],
);

const svg = drawReliability('model <"1"> & co', reliabilityBins(cases), 0.0433);

const bars = [...svg.matchAll(/<rect class="bar"[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g)];

test("draws a bar per bin with verdicts, as high as their accuracy", () => {
  // The square has a side of 320 and its base at y = 376.
  expect(bars.map(([, y, height]) => [Number(y), Number(height)])).toEqual([
    [216, 160],
    [56, 320],
  ]);
});

test("describes itself in text for screen readers", () => {
  expect(svg).toContain('role="img" aria-labelledby="title desc"');
  expect(svg).toContain("confidence 50% to 60%: 2 verdicts, 50.0% right");
  expect(svg).toContain("Expected calibration error 4.3%.");
});

test("supports light and dark colour schemes and loads nothing", () => {
  expect(svg).toContain("prefers-color-scheme:dark");
  expect(svg).not.toMatch(/<script|href|@import|url\(/);
});

test("escapes the judge's name", () => {
  expect(svg).toContain("model &lt;&quot;1&quot;&gt; &amp; co");
  const [root] = parseDocument(svg, { xmlMode: true }).children;
  expect(root).toMatchObject({ name: "svg" });
});

test("draws no bars without verdicts", () => {
  const empty = drawReliability("x", reliabilityBins([]), null);
  expect(empty).not.toContain('class="bar"');
  expect(empty).not.toContain("NaN");
});
