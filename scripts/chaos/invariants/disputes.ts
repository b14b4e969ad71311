import type { Facts } from "@/scripts/chaos/facts";
import {
  defineInvariant,
  describeChange,
  findBy,
  findRecords,
  getFields,
  type Invariant,
} from "@/scripts/chaos/invariant";

const getId = ({ id }: { id: string }) => id;
const getDisputes = ({ rows }: Facts) => rows.disputes;
const getResolved = ({ rows }: Facts) => findBy(rows.disputes, { status: "RESOLVED" });

export const disputeInvariants: Invariant[] = [
  defineInvariant(
    "acknowledged disputes",
    "every dispute that got a 201 is stored with its opening stake, and has a verdict",
    ({ calls }) => findBy(calls, { method: "POST", path: "/disputes", status: 201 }),
    (call) => String(getFields(call).disputeId),
    (call, { rows }) => {
      const id = String(getFields(call).disputeId);
      const [row] = findBy(rows.disputes, { id });
      if (!row) return "was acknowledged but is missing";
      if (row.status !== "RESOLVED") return `is still ${row.status}`;
      const { stakePaymentTxHash: txHash } = call.request as { stakePaymentTxHash: string };
      const hasStake = findBy(rows.sides, { disputeId: id }).some(
        (side) => findBy(rows.transfers, { id: side.transferId, txHash }).length > 0,
      );
      return !hasStake && `has lost its stake ${txHash}`;
    },
  ),
  defineInvariant(
    "opened by the losing party",
    "a dispute is opened by the party that lost the recorded verdict",
    getDisputes,
    getId,
    ({ openedBy, recordedVerdict }) => {
      const loser = recordedVerdict === "SUCCESS" ? "requester" : "contractor";
      return openedBy !== loser && `was opened by the ${openedBy} against ${recordedVerdict}`;
    },
  ),
  defineInvariant(
    "one chain record per dispute",
    "a resolved dispute is recorded on chain exactly once, with the same verdict",
    getResolved,
    getId,
    ({ outcomeId, verdict, onChainTx }, facts) => {
      const [record, ...more] = findRecords(facts, "dispute", outcomeId);
      if (!record || more.length > 0) return `has ${record ? more.length + 1 : 0} records on chain`;
      if (record.verdict !== verdict) return `says ${verdict}, the chain ${record.verdict}`;
      return record.txHash !== onChainTx && `names ${onChainTx}, is in ${record.txHash}`;
    },
  ),
  defineInvariant(
    "effect on the outcome",
    "the final verdict follows from the dispute's verdict, on dispute and outcome",
    getResolved,
    getId,
    ({ outcomeId, verdict, finalVerdict }, { rows }) => {
      const expected = verdict === "CONTRACTOR_WINS" ? "SUCCESS" : "FAILURE";
      const [outcome] = findBy(rows.outcomes, { id: outcomeId });
      const isRight = finalVerdict === expected && outcome?.finalVerdict === expected;
      return !isRight && `${verdict} led to ${finalVerdict} and ${outcome?.finalVerdict}`;
    },
  ),
  defineInvariant(
    "a dispute's verdict never changes",
    "once a dispute's verdict was read, every process returns the same one",
    getDisputes,
    getId,
    ({ id }, facts) => {
      const fields = ["verdict", "finalVerdict", "resolvedAt", "onChainTx"];
      return describeChange(facts, `/disputes/${id}`, fields);
    },
  ),
];
