import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Files drawn without a stylesheet, which repeat the colour tokens. */
const FILES_WITHOUT_STYLESHEET = [
  "app/layout.tsx",
  "app/apple-icon.tsx",
  "app/icon.svg",
  "components/social/picture.tsx",
  "server/explorer/badge.ts",
];
const colours = (file: string) =>
  readFileSync(file, "utf8").match(/#(?:[\da-f]{6}|[\da-f]{3})\b/gi) ?? [];

test("files without a stylesheet use only token colours", () => {
  const tokens = new Set(colours("app/globals.css"));
  for (const file of FILES_WITHOUT_STYLESHEET) {
    expect(colours(file).length, file).toBeGreaterThan(0);
    expect(
      colours(file).filter((colour) => !tokens.has(colour)),
      file,
    ).toEqual([]);
  }
});
