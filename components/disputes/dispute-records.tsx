import { Fact, HexFact } from "@/components/ui/fact";
import { TransactionHash } from "@/components/ui/hex";
import { FoldedPanel } from "@/components/ui/panel";
import type { Dispute } from "@/server/disputes/schema";
import { PARTY_NAMES } from "./describe-dispute";

interface Props {
  dispute: Dispute;
  explorerUrl: string | null;
}

/** Lists a dispute's ids, transactions and hashes in full, on demand. */
export function DisputeRecords({ dispute, explorerUrl }: Props) {
  const { onChainTx, recordIndex, evidenceHash, stakes, statements } = dispute;
  const transactions = [
    ...(onChainTx
      ? [[`Verdict on chain (record ${recordIndex})`, onChainTx, "transaction hash"] as const]
      : []),
    ...stakes.flatMap(({ party, paymentTxHash, stakeReturnTx }) => [
      ...(paymentTxHash
        ? [
            [
              `Stake of the ${PARTY_NAMES[party]}`,
              paymentTxHash,
              `payment of the ${PARTY_NAMES[party]}'s stake`,
            ] as const,
          ]
        : []),
      ...(stakeReturnTx
        ? [
            [
              `Return to the ${PARTY_NAMES[party]}`,
              stakeReturnTx,
              `return of the ${PARTY_NAMES[party]}'s stake`,
            ] as const,
          ]
        : []),
    ]),
  ];
  const hashes = statements.flatMap((statement) => listHashes(statement));
  return (
    <FoldedPanel title="Records" note="IDs, transactions, hashes">
      <dl className="grid gap-4">
        <HexFact label="Dispute ID" value={dispute.disputeId} name="dispute ID" />
        <HexFact label="Outcome ID" value={dispute.outcomeId} name="outcome ID" />
        {transactions.map(([label, value, name]) => (
          <Fact key={name} label={label}>
            <TransactionHash value={value} name={name} explorerUrl={explorerUrl} />
          </Fact>
        ))}
        {evidenceHash && (
          <HexFact label="Recorded evidence hash" value={evidenceHash} name="evidence hash" />
        )}
        {hashes.map(([label, value, name]) => (
          <HexFact key={name} label={label} value={value} name={name} />
        ))}
      </dl>
    </FoldedPanel>
  );
}

function listHashes({ party, evidenceHash, deliverableHash }: Dispute["statements"][number]) {
  const owner = `${PARTY_NAMES[party]}'s`;
  const isDocument = deliverableHash === evidenceHash;
  return [
    ...(evidenceHash
      ? [
          [
            `The ${owner} document (salted hash)`,
            evidenceHash,
            `hash of the ${owner} evidence`,
          ] as const,
        ]
      : []),
    ...(deliverableHash && !isDocument
      ? [
          [
            "Supplied deliverable (salted hash)",
            deliverableHash,
            "hash of the supplied deliverable",
          ] as const,
        ]
      : []),
  ];
}
