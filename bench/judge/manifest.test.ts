import { expect, test } from "vitest";
import { isUnseen, MANIFEST } from "./manifest";

test("an improved check counts in a fit only from the first set that it met afterwards", () => {
  const counted = (check: string) => MANIFEST.blind.filter((set) => isUnseen(check, set));
  expect(counted("cut-off")).toEqual(MANIFEST.blind);
  expect(counted("refusal")).toContain("refusals4-blind");
  expect(counted("refusal")).not.toContain("refusals3-blind");
});

test("every name of a first unseen set is that of a blind set", () => {
  for (const set of Object.values(MANIFEST.firstUnseen)) expect(MANIFEST.blind).toContain(set);
});
