import { expect, test } from "vitest";
import { formatUsdc, withArticle } from "./format";

test("USDC amounts have two decimals, and up to six if needed", () => {
  expect(formatUsdc(0.5)).toBe("0.50 USDC");
  expect(formatUsdc(1250)).toBe("1,250.00 USDC");
  expect(formatUsdc(0.000001)).toBe("0.000001 USDC");
});

test("categories take the article that matches their sound", () => {
  expect(["ops", "infra", "legal", "code-review"].map(withArticle)).toEqual([
    "an ops",
    "an infra",
    "a legal",
    "a code-review",
  ]);
});
