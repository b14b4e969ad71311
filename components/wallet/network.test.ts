import { expect, test } from "vitest";
import { hasConnection } from "./network";

test("only a cookie that names the current wallet is a connection", () => {
  const cookie = (current: string | null) => JSON.stringify({ state: { current }, version: 2 });
  expect(hasConnection(cookie("a1b2"))).toBe(true);
  for (const other of [undefined, "", "nonsense", "null", "{}", cookie(null)]) {
    expect(hasConnection(other)).toBe(false);
  }
});
