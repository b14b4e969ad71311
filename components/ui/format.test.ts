import { expect, test } from "vitest";
import { formatUsdc, withArticle } from "./format";

test("money has two decimals, and more only where there are more", () => {
  expect(formatUsdc(0.5)).toBe("0.50 USDC");
  expect(formatUsdc(1250)).toBe("1,250.00 USDC");
  expect(formatUsdc(0.000001)).toBe("0.000001 USDC");
});

test("a category has the article that is spoken before it", () => {
  expect(["ops", "infra", "legal", "code-review"].map(withArticle)).toEqual([
    "an ops",
    "an infra",
    "a legal",
    "a code-review",
  ]);
});
