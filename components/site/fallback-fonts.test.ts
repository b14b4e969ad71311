import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";

const FILES = "node_modules/@fontsource";
const FONTS = {
  Sans: "instrument-sans/files/instrument-sans-latin-500-normal.woff",
  Serif: "newsreader/files/newsreader-latin-600-normal.woff",
};

/** Reads ascent and descent, as fractions of the font size, from a WOFF file's `hhea` and `head`. */
function readMetrics(file: string): [ascent: number, descent: number] {
  const woff = readFileSync(`${FILES}/${file}`);
  const read = (tag: string) => {
    const entry = woff.subarray(woff.indexOf(tag, 44, "latin1"));
    const [offset, packed, whole] = [
      entry.readUInt32BE(4),
      entry.readUInt32BE(8),
      entry.readUInt32BE(12),
    ];
    const data = woff.subarray(offset, offset + packed);
    return packed < whole ? inflateSync(data) : data;
  };
  const unitsPerEm = read("head").readUInt16BE(18);
  return [read("hhea").readInt16BE(4) / unitsPerEm, -read("hhea").readInt16BE(6) / unitsPerEm];
}

test("fallback fonts have the line metrics of the fonts they stand in for", () => {
  const faces = readFileSync("app/globals.css", "utf8").match(/@font-face \{[^}]+\}/g) ?? [];
  expect(faces.length).toBeGreaterThan(0);
  for (const face of faces) {
    const [, family = ""] = /font-family: "(.+)"/.exec(face) ?? [];
    const percent = (name: string) =>
      Number(new RegExp(`${name}: ([\\d.]+)%`).exec(face)?.[1]) / 100;
    const metrics = readMetrics(family.includes("Serif") ? FONTS.Serif : FONTS.Sans);
    const scaled = ["ascent-override", "descent-override"].map(
      (name) => percent(name) * percent("size-adjust"),
    );
    expect(scaled[0], family).toBeCloseTo(metrics[0], 3);
    expect(scaled[1], family).toBeCloseTo(metrics[1], 3);
  }
});
