import { RecordsPanel } from "@/components/site/records-panel";
import type { Dispute } from "@/server/disputes/schema";
import { PARTY_NAMES } from "./describe-dispute";

interface Props {
  dispute: Dispute;
  explorerUrl: string | null;
}

/** Lists a dispute's ids, transactions and hashes in full, on demand. */
export function DisputeRecords({ dispute, explorerUrl }: Props) {
  const { onChainTx, recordIndex, evidenceHash, stakes, statements } = dispute;
  return (
    <RecordsPanel
      explorerUrl={explorerUrl}
      records={[
        ["Dispute ID", dispute.disputeId, "dispute ID"],
        ["Outcome ID", dispute.outcomeId, "outcome ID"],
        [`Verdict on chain (record ${recordIndex})`, onChainTx, "transaction hash", true],
        ...stakes.flatMap(({ party, paymentTxHash, stakeReturnTx }) => {
          const name = PARTY_NAMES[party];
          return [
            [`Stake of the ${name}`, paymentTxHash, `payment of the ${name}'s stake`, true],
            [`Return to the ${name}`, stakeReturnTx, `return of the ${name}'s stake`, true],
          ] as const;
        }),
        ["Recorded evidence hash", evidenceHash, "evidence hash"],
        ...statements.flatMap((statement) => {
          const owner = `${PARTY_NAMES[statement.party]}'s`;
          const { evidenceHash: document, deliverableHash } = statement;
          return [
            [`The ${owner} document (salted hash)`, document, `hash of the ${owner} evidence`],
            [
              "Supplied deliverable (salted hash)",
              deliverableHash === document ? null : deliverableHash,
              "hash of the supplied deliverable",
            ],
          ] as const;
        }),
      ]}
    />
  );
}
