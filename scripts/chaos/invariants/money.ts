import type { Facts, SideFact, TransferFact } from "@/scripts/chaos/facts";
import { groupBy, type Invariant, indexed, ofEach } from "@/scripts/chaos/invariant";

const intoStakes = ({ chain }: Facts) =>
  chain.transfers.filter(({ to }) => to === chain.stakeAddress);
const outOfStakes = ({ chain }: Facts) =>
  chain.transfers.filter(({ from }) => from === chain.stakeAddress);
/** Returns whether the payment is still on chain: a reorg may have removed it. */
const stands = ({ chain }: Facts, { txHash }: TransferFact) =>
  indexed(chain.transfers, "hash", (one) => one.txHash)(txHash).length > 0;

/** Counts the paybacks of this amount to this payer; every payment of a run has a unique amount. */
const paidBack = (facts: Facts, { from, micro }: TransferFact) =>
  indexed(outOfStakesOnce(facts), "to", (one) => `${one.to} ${one.micro}`)(`${from} ${micro}`)
    .length;

const outs = new WeakMap<Facts, ReturnType<typeof outOfStakes>>();
function outOfStakesOnce(facts: Facts) {
  const known = outs.get(facts) ?? outOfStakes(facts);
  outs.set(facts, known);
  return known;
}

/** Returns whether the service owes the whole payment back; null while undecided. */
function isOwed(facts: Facts, transfer: TransferFact): boolean | null {
  if (!stands(facts, transfer)) return false;
  if (transfer.purpose === "unattached-stake") return true;
  const [side] = indexed(facts.rows.sides, "transfer", (one) => one.transferId)(transfer.id);
  return side ? isWinner(facts, side) : null;
}

function isWinner({ rows }: Facts, { disputeId, party }: SideFact): boolean | null {
  const verdict = indexed(rows.disputes, "id", ({ id }) => id)(disputeId)[0]?.verdict;
  if (!verdict) return null;
  return verdict === (party === "contractor" ? "CONTRACTOR_WINS" : "REQUESTER_WINS");
}

const stakes = ({ rows }: Facts) =>
  rows.transfers.filter(({ purpose }) => purpose === "stake" || purpose === "unattached-stake");

export const moneyInvariants: Invariant[] = [
  ofEach(
    "one payout, to the right party",
    "the winner's stake, and a payment that could not attach, goes back to its payer exactly once; nothing else does",
    stakes,
    (transfer, facts) => {
      const owed = isOwed(facts, transfer);
      const times = paidBack(facts, transfer);
      const id = transfer.txHash;
      if (owed === null) return { id, what: `a ${transfer.purpose} belongs to no decided dispute` };
      return (
        times !== (owed ? 1 : 0) && {
          id,
          what: `${transfer.micro} millionths of ${transfer.from} ${owed ? "are" : "are not"} owed and went back ${times} times`,
        }
      );
    },
  ),
  ofEach(
    "nothing leaves unasked",
    "every transfer out of the stake account is a payout that is booked as paid, by that very transaction",
    outOfStakes,
    (out, { rows }) => {
      const booked = indexed(rows.payouts, "tx", ({ txHash }) => String(txHash))(out.txHash);
      const isRight = booked.some(
        ({ status, to, micro }) => status === "paid" && to === out.to && micro === out.micro,
      );
      return !isRight && { id: out.txHash, what: `${out.micro} to ${out.to} is no booked payout` };
    },
  ),
  ofEach(
    "booked payouts are paid",
    "a payout that is booked as paid stands on chain",
    ({ rows }) => rows.payouts.filter(({ status }) => status === "paid"),
    (payout, facts) => {
      const made = outOfStakesOnce(facts).filter(({ txHash }) => txHash === payout.txHash);
      return made.length !== 1 && { id: payout.id, what: `${payout.txHash} paid nothing` };
    },
  ),
  {
    name: "the books balance",
    promise:
      "the stake account holds what came in less what is owed back, to the millionth, by the chain alone",
    check(facts) {
      const sum = (amounts: { micro: string }[]) =>
        amounts.reduce((total, { micro }) => total + BigInt(micro), 0n);
      const came = sum(intoStakes(facts));
      const owed = sum(stakes(facts).filter((transfer) => isOwed(facts, transfer)));
      const held = BigInt(facts.chain.stakeBalanceMicro);
      const what = `${came} came in, ${owed} are owed back, ${held} are held`;
      return {
        checked: 1,
        violations: held === came - owed ? [] : [{ id: facts.chain.stakeAddress, what }],
      };
    },
  },
  ofEach(
    "a payment counts once",
    "no transfer serves two purposes, and each that counts is one between the parties that it names",
    ({ rows }) => [...groupBy(rows.transfers, ({ txHash }) => txHash).entries()],
    ([id, [first, ...more]], facts) => {
      if (more.length > 0) return { id, what: `counts ${more.length + 1} times` };
      if (!first || !stands(facts, first)) return null;
      const isReal = facts.chain.transfers.some(
        ({ txHash, from, to, micro }) =>
          txHash === id && from === first.from && to === first.to && micro === first.micro,
      );
      return !isReal && { id, what: "is not what the chain says" };
    },
  ),
  ofEach(
    "recorded payments were made",
    "what a record says was paid is a transfer from requester to contractor, and no other record's",
    ({ chain }) => [
      ...groupBy(
        chain.records.filter(({ paidMicro }) => paidMicro !== "0"),
        ({ contractor, requester, paidMicro }) => `${requester} ${contractor} ${paidMicro}`,
      ).entries(),
    ],
    ([key, records], { chain }) => {
      const made = indexed(
        chain.transfers,
        "parties",
        ({ from, to, micro }) => `${from} ${to} ${micro}`,
      )(key);
      const id = records[0]?.about ?? key;
      return (
        made.length < records.length && {
          id,
          what: `${records.length} records of ${made.length} transfers: ${key}`,
        }
      );
    },
  ),
];
