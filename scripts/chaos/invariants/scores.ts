import type { Facts } from "@/scripts/chaos/facts";
import { groupBy, type Invariant, ofEach } from "@/scripts/chaos/invariant";

const wordsOf = ({ score, tier, totalOutcomes, confirmedOutcomes }: Record<string, unknown>) =>
  `${score} ${tier}, ${confirmedOutcomes} of ${totalOutcomes} confirmed`;

export const scoreInvariants: Invariant[] = [
  ofEach(
    "scores are the chain's",
    "score, tier and counts that each process says are those of the public formula over the chain's records",
    ({ told }) =>
      told.flatMap(({ app, reputations, recomputed }) =>
        Object.entries(recomputed).map(([wallet, due]) => ({
          app,
          wallet,
          due,
          is: reputations[wallet] ?? {},
        })),
      ),
    ({ app, wallet, due, is }) => {
      const isRight =
        is.score === due.score &&
        is.tier === due.tier &&
        is.totalOutcomes === due.totalOutcomes &&
        is.confirmedOutcomes === due.confirmedOutcomes;
      return (
        !isRight && {
          id: wallet,
          what: `${app} says ${wordsOf(is)}, the chain ${wordsOf(due)}`,
        }
      );
    },
  ),
  ofEach(
    "every change of a score is kept",
    "versions rise by one, and each goes on from the score before",
    ({ rows }) => [...groupBy(rows.scores, ({ wallet }) => wallet).values()],
    (changes) =>
      changes.flatMap(({ wallet, version, previousScoreE4 }, nth) => {
        const before = changes[nth - 1];
        const isNext =
          version === nth + 1 && previousScoreE4 === (before === undefined ? 0 : before.scoreE4);
        return isNext ? [] : [{ id: wallet, what: `version ${version} does not follow` }];
      }),
  ),
];

export const ledgerInvariants: Invariant[] = [
  {
    name: "no gap in the ledger",
    promise: "`seq` counts from 1 without a gap, and the hash chain ends in the contract's head",
    check({ chain: { records, seq, head, folded } }) {
      const violations = records.flatMap((record, nth) =>
        record.seq === nth + 1
          ? []
          : [{ id: record.about, what: `record ${record.seq} stands in place ${nth + 1}` }],
      );
      if (seq !== records.length) {
        violations.push({ id: "registry", what: `counts ${seq}, has ${records.length}` });
      }
      if (head !== folded) violations.push({ id: "registry", what: `head ${head}, not ${folded}` });
      return { checked: records.length, violations };
    },
  },
  ofEach(
    "the service's ledger is the chain's",
    "every record with its `seq`, transaction and place, in the database and from each process",
    (facts) => [
      { whose: "database", ledger: facts.rows.ledger },
      ...facts.told.map(({ app, ledger }) => ({ whose: app, ledger })),
    ],
    ({ whose, ledger }, { chain }: Facts) => {
      if (ledger.length !== chain.records.length) {
        return { id: whose, what: `has ${ledger.length} records of ${chain.records.length}` };
      }
      return chain.records.flatMap(({ seq, txHash, about }, nth) => {
        const said = ledger[nth];
        return said?.seq === seq && said.txHash === txHash
          ? []
          : [{ id: about, what: `${whose}: record ${seq} in ${said?.txHash}, not ${txHash}` }];
      });
    },
  ),
];
