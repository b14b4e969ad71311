import type { Facts, TransferFact } from "@/scripts/chaos/facts";
import {
  defineInvariant,
  findBy,
  findRecords,
  getFields,
  type Invariant,
} from "@/scripts/chaos/invariant";

const getOutgoingTransfers = ({ chain }: Facts) =>
  findBy(chain.transfers, { from: chain.stakeAddress });
/** Returns whether the payment is on chain; a reorg may have removed it. */
const isOnChain = ({ chain }: Facts, { txHash }: TransferFact) =>
  findBy(chain.transfers, { txHash }).length > 0;

/** Returns whether the service owes the payment back; null if its dispute has no verdict. */
function isOwed(facts: Facts, transfer: TransferFact): boolean | null {
  if (!isOnChain(facts, transfer)) return false;
  if (transfer.purpose === "unattached-stake") return true;
  const { sides, disputes } = facts.rows;
  const [side] = findBy(sides, { transferId: transfer.id });
  const verdict = side && findBy(disputes, { id: side.disputeId })[0]?.verdict;
  if (!verdict) return null;
  return verdict === (side.party === "contractor" ? "CONTRACTOR_WINS" : "REQUESTER_WINS");
}

const getStakes = ({ rows }: Facts) =>
  rows.transfers.filter(({ purpose }) => purpose === "stake" || purpose === "unattached-stake");

const sum = (amounts: { amountMicro: bigint }[]) =>
  amounts.reduce((total, { amountMicro }) => total + amountMicro, 0n);

export const moneyInvariants: Invariant[] = [
  defineInvariant(
    "one payout to the right party",
    "a winner's stake, and a payment that could not attach, is returned to its payer exactly once; nothing else is",
    getStakes,
    ({ txHash }) => txHash,
    (transfer, facts) => {
      const { from: payer, amountMicro, purpose } = transfer;
      const owed = isOwed(facts, transfer);
      if (owed === null) return `a ${purpose} belongs to no resolved dispute`;
      // Every payment of a run has a unique amount.
      const { transfers, stakeAddress } = facts.chain;
      const times = findBy(transfers, { from: stakeAddress, to: payer, amountMicro }).length;
      return (
        times !== (owed ? 1 : 0) &&
        `${amountMicro} millionths from ${payer} ${owed ? "are" : "are not"} owed and were returned ${times} times`
      );
    },
  ),
  defineInvariant(
    "no unexpected payouts",
    "every transfer out of the stake account is a payout that is marked as paid by that transaction",
    getOutgoingTransfers,
    ({ txHash }) => txHash,
    ({ txHash, to, amountMicro }, { rows }) =>
      findBy(rows.payouts, { txHash, to, amountMicro, status: "paid" }).length === 0 &&
      `${amountMicro} to ${to} is no stored payout`,
  ),
  defineInvariant(
    "payouts are paid",
    "every payout that is marked as paid is on chain",
    ({ rows }) => findBy(rows.payouts, { status: "paid" }),
    ({ id }) => id,
    ({ txHash }, { chain }) =>
      findBy(chain.transfers, { from: chain.stakeAddress, txHash: String(txHash) }).length !== 1 &&
      `${txHash} paid nothing`,
  ),
  defineInvariant(
    "the stake account balances",
    "the stake account holds what it received minus what was owed, to the millionth, according to the chain",
    (facts) => [facts],
    ({ chain }) => chain.stakeAddress,
    (facts) => {
      const { transfers, stakeAddress, stakeBalanceMicro } = facts.chain;
      const received = sum(findBy(transfers, { to: stakeAddress }));
      const owed = sum(getStakes(facts).filter((transfer) => isOwed(facts, transfer)));
      const isBalanced = stakeBalanceMicro === received - owed;
      return !isBalanced && `received ${received}, owes ${owed}, holds ${stakeBalanceMicro}`;
    },
  ),
  defineInvariant(
    "a payment counts once",
    "no transfer serves two purposes, and each that counts has the parties and the amount on chain",
    ({ rows }) => [...Map.groupBy(rows.transfers, ({ txHash }) => txHash)],
    ([txHash]) => txHash,
    ([, [first, ...more]], facts) => {
      if (more.length > 0) return `counts ${more.length + 1} times`;
      if (!first || !isOnChain(facts, first)) return null;
      const { txHash, from, to, amountMicro } = first;
      const isSame = findBy(facts.chain.transfers, { txHash, from, to, amountMicro }).length > 0;
      return !isSame && "differs from the chain";
    },
  ),
  defineInvariant(
    "recorded payments were made",
    "every recorded payment is a transfer from requester to contractor, or from an escrow of the requester, that no other record uses, except one that it supersedes",
    (facts) => [
      ...Map.groupBy(
        facts.chain.records.filter(
          (record) =>
            record.type === "outcome" &&
            record.paidMicro > 0 &&
            findRecords(facts, "superseded", record.id).length === 0,
        ),
        (record) =>
          record.type === "outcome"
            ? `${record.requester} ${record.contractor} ${record.paidMicro}`
            : "",
      ),
    ],
    ([key, records]) => records[0]?.subject ?? key,
    ([key, records], { chain }) => {
      const [from = "", to = "", micro = ""] = key.split(" ");
      const amountMicro = BigInt(micro);
      const released = findBy(chain.settledJobs, {
        client: from,
        provider: to,
        releasedMicro: amountMicro,
      });
      const made = findBy(chain.transfers, { from, to, amountMicro }).length + released.length;
      return made < records.length && `${records.length} records for ${made} transfers: ${key}`;
    },
  ),
];

/** Returns the refund requests with status 200. */
const getAcknowledged = ({ calls }: Facts) =>
  findBy(calls, { method: "POST", status: 200 }).flatMap((call) => {
    const outcomeId = /^\/outcome\/([^/]+)\/refund$/.exec(call.path)?.[1];
    return outcomeId ? [{ outcomeId, txHash: String(getFields(call).txHash) }] : [];
  });

const getRefundRecords = ({ chain }: Facts) =>
  chain.records.filter((record) => record.type === "refund");

export const refundInvariants: Invariant[] = [
  defineInvariant(
    "acknowledged refunds",
    "a refund that got a 200 is recorded exactly once, unless the chain lost its transfer",
    getAcknowledged,
    ({ outcomeId }) => outcomeId,
    ({ outcomeId, txHash }, facts) => {
      const [transfer] = findBy(facts.rows.transfers, { txHash });
      const isOnChain = findBy(facts.chain.transfers, { txHash }).length > 0;
      if (transfer?.goneAt || !isOnChain) return null;
      const records = findRecords(facts, "refund", outcomeId);
      const times = findBy(records, { paymentTx: txHash }).length;
      return times !== 1 && `its refund ${txHash} is recorded ${times} times`;
    },
  ),
  defineInvariant(
    "no refund without a request",
    "an outcome has at most one refund record, whose transfer was acknowledged",
    getRefundRecords,
    ({ subject }) => subject,
    ({ subject, paymentTx }, facts) => {
      const { length } = findRecords(facts, "refund", subject);
      if (length !== 1) return `has ${length} refund records`;
      const isAcknowledged = getAcknowledged(facts).some(
        ({ outcomeId, txHash }) => outcomeId === subject && txHash === paymentTx,
      );
      return !isAcknowledged && `${paymentTx} was never acknowledged`;
    },
  ),
  defineInvariant(
    "refunds return the payment",
    "the transfer of a refund record returns at least the payment and serves no other record",
    getRefundRecords,
    ({ subject }) => subject,
    ({ subject, paymentTx = "" }, facts) => {
      const [outcome] = findRecords(facts, "outcome", subject);
      if (!outcome) return "has no outcome record";
      const { contractor: from, requester: to, paidMicro } = outcome;
      const transfers = findBy(facts.chain.transfers, { txHash: paymentTx, from, to });
      if (!transfers.some(({ amountMicro }) => amountMicro >= paidMicro))
        return `${paymentTx} returns too little`;
      const uses = getRefundRecords(facts).filter((record) => record.paymentTx === paymentTx);
      return uses.length > 1 && `${paymentTx} is used by ${uses.length} records`;
    },
  ),
  defineInvariant(
    "superseded outcomes",
    "a superseded outcome is the contractor's, and the payer's own one for the same payment takes its place; each process shows that",
    ({ chain }) => chain.records.filter((record) => record.type === "superseded"),
    ({ subject }) => subject,
    ({ subject, by }, facts) => {
      const [older] = findRecords(facts, "outcome", subject);
      const [own] = findRecords(facts, "outcome", by);
      if (!older || !own) return `has no outcome record, or its successor ${by} has none`;
      const isSame = (["contractor", "requester", "paidMicro"] as const).every(
        (field) => older[field] === own[field],
      );
      if (!isSame || older.submittedBy !== "contractor" || own.submittedBy !== "requester")
        return `${by} does not have its payment`;
      if (findRecords(facts, "superseded", subject).length !== 1) return "is superseded twice";
      if (findRecords(facts, "refund", subject).length > 0) return "is refunded, too";
      if (findRecords(facts, "dispute", subject).length > 0) return "is disputed, too";
      const isHidden = ({ outcomes }: Facts["published"][number]) =>
        (outcomes[subject]?.superseded as { by?: string } | undefined)?.by !== by;
      return facts.published.some(isHidden) && "is not shown as superseded";
    },
  ),
  defineInvariant(
    "processes agree on refunds",
    "each process shows every recorded refund with its transfer and record, and no other",
    ({ published, rows }) =>
      published.flatMap(({ app, outcomes }) =>
        rows.outcomes.map(({ id }) => ({ id, app, refund: outcomes[id]?.refund as Refund })),
      ),
    ({ id }) => id,
    ({ id, app, refund }, facts) => {
      const [record] = findRecords(facts, "refund", id);
      const isShown = record
        ? refund?.status === "recorded" &&
          refund.txHash === record.paymentTx &&
          refund.onChainTx === record.txHash
        : refund === undefined;
      return !isShown && `${app} shows ${JSON.stringify(refund)}`;
    },
  ),
];

type Refund = { status?: string; txHash?: string; onChainTx?: string } | undefined;
