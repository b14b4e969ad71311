import { isDeepStrictEqual } from "node:util";
import type { EvidenceFact } from "@/scripts/chaos/facts";
import { defineInvariant, findBy, type Invariant } from "@/scripts/chaos/invariant";
import { toRowsText } from "@/server/reputation/evidence/evidence-row";
import { recompute } from "@/server/reputation/evidence/recompute";
import { toStoredTotals } from "@/server/reputation/evidence/totals";

const FIELDS = ["score", "tier", "totalOutcomes", "confirmedOutcomes"];
const format = (score: Record<string, unknown>) =>
  FIELDS.map((field) => `${field} ${score[field]}`).join(", ");

/** Returns rows in a fixed order, whatever the order of their fields. */
const describeRows = (rows: EvidenceFact[]): string[] =>
  rows
    .map(({ requester, category, backing, reported, day, good, bad, ...counts }) => {
      const { outcomes, counted, successes, disputed } = counts;
      const key = [requester, category, backing, reported, day];
      return [...key, good, bad, outcomes, counted, successes, disputed].join(" ");
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
    ({ rows }) => rows.totals,
    ({ wallet }) => wallet,
    ({ wallet, version, totals }, { rows, chain }) => {
      if (totals?.version !== version) return `has no sums of version ${version}`;
      const { day } = totals;
      const expected = recompute(chain.records, { wallet, day, change: null });
      if (!isDeepStrictEqual(totals, toStoredTotals(expected.totals, version)))
        return `has other sums of version ${version}`;
      const stored = findBy(rows.evidence, { wallet });
      const computed: EvidenceFact[] = JSON.parse(toRowsText(wallet, expected.rows));
      return !isDeepStrictEqual(describeRows(stored), describeRows(computed)) && "has other rows";
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
      const isOnly = findBy(rows.scores, { wallet, version }).length === 1;
      return !(isNext && isOnly) && `version ${version} does not follow the one before`;
    },
  ),
];

export const ledgerInvariants: Invariant[] = [
  {
    name: "no gap in the ledger",
    promise: "`seq` counts from 1 without a gap, and the hash chain ends in the contract's head",
    check({ chain: { records, seq, head, computedHead } }) {
      const violations = records.flatMap((record, index) =>
        record.seq === index + 1
          ? []
          : [
              {
                id: record.subject,
                description: `record ${record.seq} is at position ${index + 1}`,
              },
            ],
      );
      if (seq !== records.length) {
        violations.push({ id: "registry", description: `counts ${seq}, has ${records.length}` });
      }
      if (head !== computedHead)
        violations.push({ id: "registry", description: `head ${head}, not ${computedHead}` });
      return { checked: records.length, violations };
    },
  },
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
