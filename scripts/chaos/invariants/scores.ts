import { isDeepStrictEqual } from "node:util";
import { defineInvariant, findBy, type Invariant } from "@/scripts/chaos/invariant";
import { recompute } from "@/server/reputation/evidence/recompute";
import { toStoredTotals } from "@/server/reputation/evidence/totals";

const FIELDS = ["score", "tier", "totalOutcomes", "confirmedOutcomes"];
const format = (score: Record<string, unknown>) =>
  FIELDS.map((field) => `${field} ${score[field]}`).join(", ");

/** Returns rows in a fixed order, whatever the order of their fields. */
const describeRows = (rows: object[]): string[] =>
  rows
    .map((row) => {
      const fields = Object.entries(row).filter(([name]) => name !== "wallet");
      return fields
        .map(([name, value]) => `${name} ${value}`)
        .sort()
        .join(", ");
    })
    .sort();

export const scoreInvariants: Invariant[] = [
  defineInvariant(
    "scores match the chain",
    "each process returns the score, tier and counts that the public formula gives for the chain's records",
    ({ published }) =>
      published.flatMap(({ app, reputations, recomputed }) =>
        Object.entries(recomputed).map(([wallet, expected]) => ({
          wallet,
          app,
          expected: format(expected),
          actual: format(reputations[wallet] ?? {}),
        })),
      ),
    ({ wallet }) => wallet,
    ({ app, expected, actual }) =>
      actual !== expected && `${app} says ${actual}, the chain ${expected}`,
  ),
  defineInvariant(
    "incremental evidence equals recomputation",
    "the sums and rows of a wallet's evidence are those that the chain's records give",
    ({ rows }) => rows.reputations,
    ({ wallet }) => wallet,
    ({ wallet, version, totals }, { rows, chain }) => {
      if (totals?.version !== version) return `has no sums of version ${version}`;
      const { day } = totals;
      const expected = recompute(chain.records, { wallet, day, change: null });
      if (!isDeepStrictEqual(totals, toStoredTotals(expected.totals, version)))
        return `has other sums of version ${version}`;
      const stored = describeRows(findBy(rows.evidence, { wallet }));
      return !isDeepStrictEqual(stored, describeRows(expected.rows)) && "has other rows";
    },
  ),
  defineInvariant(
    "no gap in a score's history",
    "versions increase by one, and each stores the score of the version before",
    ({ rows }) => rows.scores,
    ({ wallet }) => wallet,
    ({ wallet, version, previousScoreE4 }, { rows }) => {
      const [before] = findBy(rows.scores, { wallet, version: version - 1 });
      const isNext = previousScoreE4 === (version === 1 ? 0 : before?.scoreE4);
      return !isNext && `version ${version} does not follow the one before`;
    },
  ),
];

export const ledgerInvariants: Invariant[] = [
  defineInvariant(
    "no gap in the ledger",
    "`seq` counts from 1 without a gap, and the hash chain ends in the contract's head",
    ({ chain }) => [chain],
    () => "registry",
    ({ faults }) => faults.join(" "),
  ),
  defineInvariant(
    "the ledger matches the chain",
    "the database and each process have every record with its `seq` and transaction",
    ({ rows, published }) => [
      { source: "database", ledger: rows.ledger },
      ...published.map(({ app, ledger }) => ({ source: app, ledger })),
    ],
    ({ source }) => source,
    ({ ledger }, { chain }) => {
      if (ledger.length !== chain.records.length)
        return `has ${ledger.length} records of ${chain.records.length}`;
      const wrong = chain.records.find(
        ({ seq, txHash }, index) => ledger[index]?.seq !== seq || ledger[index].txHash !== txHash,
      );
      return wrong && `lacks record ${wrong.seq} in ${wrong.txHash}`;
    },
  ),
];
