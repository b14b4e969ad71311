// cspell:ignore minscore Scroe siez
import fc from "fast-check";
import { expect, it } from "vitest";
import { findNearestName } from "./nearest-name";

const NAMES = ["q", "page", "size", "category", "minScore", "deliverableUrl", "stakePaymentTxHash"];

it.each([
  ["minscore", "minScore"],
  ["min_score", "minScore"],
  ["MIN-SCORE", "minScore"],
  ["minScroe", "minScore"],
  ["pge", "page"],
  ["siez", "size"],
  ["stake_payment_tx_hash", "stakePaymentTxHash"],
  ["deliverable_uri", "deliverableUrl"],
])("finds the name that %s misspells", (typed, meant) => {
  expect(findNearestName(typed, NAMES)).toBe(meant);
});

it.each(["", "x", "utm_source", "token", "minimumScore", "__proto__", "k".repeat(1_000_000)])(
  "finds none for %s",
  (typed) => expect(findNearestName(typed, NAMES)).toBeNull(),
);

/** The edits by definition, without the rows that the implementation keeps. */
function countEdits(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  if (a[0] === b[0]) return countEdits(a.slice(1), b.slice(1));
  const rests = [
    [a.slice(1), b],
    [a, b.slice(1)],
    [a.slice(1), b.slice(1)],
  ] as const;
  return 1 + Math.min(...rests.map(([x, y]) => countEdits(x, y)));
}

it("suggests the nearest name, and none that is more than two edits away", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), (typed, known) => {
      const near = known.filter((name) => countEdits(typed, name) < Math.min(3, name.length));
      const fewest = Math.min(...near.map((name) => countEdits(typed, name)));
      const expected = near.find((name) => countEdits(typed, name) === fewest) ?? null;
      expect(findNearestName(typed, known)).toBe(expected);
    }),
  );
});

it.each([
  ["wallet", ["walletAddress", "valueUsdc"], "walletAddress"],
  ["wallet", ["walletAddresses", "valueUsdc"], "walletAddresses"],
  ["wallet", ["agentAddress", "name"], "agentAddress"],
  ["walletAddress", ["agentAddress", "name"], "agentAddress"],
  ["wallet_address", ["walletAddresses"], "walletAddresses"],
  ["agentAddress", ["walletAddress"], "walletAddress"],
  ["query", ["q", "page", "size"], "q"],
  ["limit", ["q", "page", "size"], "size"],
  ["query", ["page", "size"], null],
])("finds what %s means among %j", (name, known, meant) => {
  expect(findNearestName(name, known)).toBe(meant);
});
