import type { EvidenceByBacking } from "@/server/reputation/score/score-evidence";
import type { Backing } from "@/server/reputation/score/weigh-outcome";
import type { Totals } from "./totals";

/** Good and bad evidence as decimal strings: they exceed the exact range of JSON numbers. */
type StoredSums = Record<Backing, [good: string, bad: string]>;

/** The totals of a wallet as stored beside its reputation. */
export interface StoredTotals extends Omit<Totals, "overall" | "categories"> {
  /** The `version` of the reputation that the totals and the rows of evidence belong to. */
  version: number;
  overall: StoredSums;
  categories: Record<string, StoredSums>;
}

export function toStoredTotals(totals: Totals, version: number): StoredTotals {
  return {
    ...totals,
    version,
    overall: toStoredSums(totals.overall),
    categories: Object.fromEntries(
      [...totals.categories].map(([category, sums]) => [category, toStoredSums(sums)]),
    ),
  };
}

/** Returns the totals beside a reputation; null if its evidence must be read from the ledger. */
export function parseTotals({
  version,
  totals: stored,
}: {
  version: number;
  totals: StoredTotals | null;
}): Totals | null {
  if (stored?.version !== version) return null;
  const { version: _, ...totals } = stored;
  return {
    ...totals,
    overall: parseSums(totals.overall),
    categories: new Map(
      Object.entries(totals.categories).map(([category, sums]) => [category, parseSums(sums)]),
    ),
  };
}

const toStoredSums = ({ claimed, paid, anchored }: EvidenceByBacking): StoredSums => ({
  claimed: [String(claimed.good), String(claimed.bad)],
  paid: [String(paid.good), String(paid.bad)],
  anchored: [String(anchored.good), String(anchored.bad)],
});

const parseSums = ({ claimed, paid, anchored }: StoredSums): EvidenceByBacking => ({
  claimed: { good: BigInt(claimed[0]), bad: BigInt(claimed[1]) },
  paid: { good: BigInt(paid[0]), bad: BigInt(paid[1]) },
  anchored: { good: BigInt(anchored[0]), bad: BigInt(anchored[1]) },
});
