import type { Facts } from "@/scripts/chaos/facts";
import { defineInvariant, findBy, type Invariant } from "@/scripts/chaos/invariant";
import { findRecords, getFields } from "@/scripts/chaos/query-facts";

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
      if (transfer?.isReorged || !isOnChain) return null;
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
      if (!transfers.some(({ micro }) => BigInt(micro) >= paidMicro))
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
