import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { showProgress } from "./progress";

function told(total: number, isTTY: boolean): string {
  const out = Object.assign(new PassThrough(), { isTTY });
  const progress = showProgress(out, "Set", total);
  for (let done = 0; done < total; done++) progress.step();
  progress.end();
  return String(out.read());
}

test("on a terminal one line moves", () => {
  const text = told(4, true);
  expect(text.match(/\r/g)).toHaveLength(4);
  expect(text).toContain("[######..................] Set: 1 of 4 (0 s)");
  expect(text).toMatch(/\[#{24}\] Set: 4 of 4 \(0 s\)\n$/);
});

test("elsewhere there is a plain line at every tenth, and one at the end", () => {
  const lines = told(95, false).trimEnd().split("\n");
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("Set: 95 of 95 (0 s)");
});
