import { Fact, HexFact } from "@/components/ui/fact";
import { formatUsdc } from "@/components/ui/format";
import { Hex, TransactionHash } from "@/components/ui/hex";
import { FoldedPanel } from "@/components/ui/panel";
import type { PublicOutcome } from "@/server/outcomes/schema";

interface Props {
  outcome: PublicOutcome;
  explorerUrl: string | null;
}

/** Lists an outcome's ids, transactions and hashes in full, on demand. */
export function OutcomeRecords({ outcome, explorerUrl }: Props) {
  const { onChainTx, recordIndex, paymentTxHash, paidUsdc, refund, superseded } = outcome;
  return (
    <FoldedPanel title="Records" note="IDs, transactions, hashes">
      <dl className="grid gap-4">
        <HexFact label="Outcome ID" value={outcome.outcomeId} name="outcome ID" />
        <HexFact
          label="Contractor"
          value={outcome.contractorAgentAddress}
          name="contractor's address"
        />
        <HexFact label="Client" value={outcome.requesterAgentAddress} name="client's address" />
        {onChainTx && (
          <Fact label="Place in the transaction that recorded the verdict">
            Record {recordIndex}
          </Fact>
        )}
        {paymentTxHash && (
          <Fact
            label={
              paidUsdc > 0
                ? `Payment of ${formatUsdc(paidUsdc)}`
                : "Payment, removed by a chain reorg"
            }
          >
            <TransactionHash
              value={paymentTxHash}
              name="payment transaction hash"
              explorerUrl={explorerUrl}
            />
          </Fact>
        )}
        {refund && (
          <Fact label={`Refund of ${formatUsdc(refund.amountUsdc)}`}>
            <TransactionHash
              value={refund.txHash}
              name="refund transaction hash"
              explorerUrl={explorerUrl}
            />
          </Fact>
        )}
        {refund?.onChainTx && (
          <Fact label={`Refund on chain (record ${refund.recordIndex} of the transaction)`}>
            <TransactionHash
              value={refund.onChainTx}
              name="refund record's transaction hash"
              explorerUrl={explorerUrl}
            />
          </Fact>
        )}
        {superseded?.onChainTx && (
          <Fact label={`Superseded on chain (record ${superseded.recordIndex} of the transaction)`}>
            <TransactionHash
              value={superseded.onChainTx}
              name="superseding record's transaction hash"
              explorerUrl={explorerUrl}
            />
          </Fact>
        )}
        <Fact label="Task (salted hash)">
          <HashOrUnknown value={outcome.taskHash} name="task hash" />
        </Fact>
        <Fact label="Deliverable (salted hash)">
          <HashOrUnknown value={outcome.deliverableHash} name="deliverable hash" />
        </Fact>
      </dl>
    </FoldedPanel>
  );
}

/** Shows a hash. It is zero for outcomes restored from the chain, which has no hashes of texts. */
function HashOrUnknown({ value, name }: { value: string; name: string }) {
  return /^0x0+$/.test(value) ? (
    "unknown: restored from the chain"
  ) : (
    <Hex value={value} name={name} />
  );
}
