import { readFileSync } from "node:fs";
import { createElement } from "react";
import { expect, test, vi } from "vitest";
import { readCodePoints, renderSocialPicture } from "./social-picture";

const SIZE = { width: 60, height: 30 };

function ask(score: number, onDraw: () => void): Promise<Response> {
  return renderSocialPicture({
    key: String(score),
    draw: () => {
      onDraw();
      return createElement("div", { style: { display: "flex" } }, score);
    },
    size: SIZE,
  });
}

test("draws equal keys once", async () => {
  let drawn = 0;
  const onDraw = () => {
    drawn++;
  };
  const answers = [await ask(1, onDraw), ...(await Promise.all([ask(1, onDraw), ask(1, onDraw)]))];
  expect(drawn).toBe(1);
  for (const answer of answers) {
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
  }
  await ask(2, onDraw);
  expect(drawn).toBe(2);
});

test("draws one picture at a time", async () => {
  let drawn = 0;
  const onDraw = () => {
    drawn++;
  };
  const [first, ...others] = [11, 12, 13, 14, 15].map((score) => ask(score, onDraw));
  await first;
  // The next one may have begun.
  expect(drawn).toBeLessThanOrEqual(2);
  await Promise.all(others);
  expect(drawn).toBe(5);
});

test("draws a picture again that failed once", async () => {
  const picture = { key: "failed once", size: SIZE };
  const fail = () => {
    throw new Error("not drawn");
  };
  await expect(renderSocialPicture({ ...picture, draw: fail })).rejects.toThrow("not drawn");
  const answer = await renderSocialPicture({ ...picture, draw: () => createElement("div") });
  expect(answer.status).toBe(200);
});

test("reads the fonts again after a failure", async () => {
  vi.resetModules();
  const fresh = await import("./social-picture");
  const picture = { draw: () => createElement("div"), size: SIZE };
  const cwd = vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
  await expect(fresh.renderSocialPicture({ key: "a", ...picture })).rejects.toThrow("ENOENT");
  cwd.mockRestore();
  expect((await fresh.renderSocialPicture({ key: "a", ...picture })).status).toBe(200);
});

const FILES = "node_modules/@fontsource";
const lettersIn = (file: string) => {
  const letters = readCodePoints(readFileSync(`${FILES}/${file}`));
  return (text: string) => [...text].map((letter) => letters.has(letter.codePointAt(0) ?? 0));
};
const all = (text: string, has: boolean) => [...text].map(() => has);

test("reads the code points of a font", () => {
  const latin = lettersIn("newsreader/files/newsreader-latin-600-normal.woff");
  expect(latin("Standing é ß …")).toEqual(all("Standing é ß …", true));
  expect(latin("Łж\u5BA1\u{1F680}")).toEqual([false, false, false, false]);
  const cyrillic = lettersIn("source-serif-4/files/source-serif-4-cyrillic-600-normal.woff");
  expect(cyrillic("Репутация")).toEqual(all("Репутация", true));
  const greek = lettersIn("source-serif-4/files/source-serif-4-greek-600-normal.woff");
  expect(greek("Φήμη")).toEqual(all("Φήμη", true));
});

test("refuses a file that is not a font", () => {
  expect(() => readCodePoints(Buffer.from("<!doctype html><title>no font</title>"))).toThrow(
    "WOFF",
  );
});
