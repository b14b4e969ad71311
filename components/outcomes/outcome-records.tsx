import { RecordsPanel } from "@/components/site/records-panel";
import { Fact } from "@/components/ui/fact";
import { formatUsdc } from "@/components/ui/format";
import type { PublicJudgement } from "@/server/judging/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

interface Props {
  outcome: PublicOutcome;
  judgement: PublicJudgement | null;
  explorerUrl: string | null;
}

/** Lists an outcome's ids, transactions and hashes in full, and the judge's version, on demand. */
export function OutcomeRecords({ outcome, judgement, explorerUrl }: Props) {
  const { onChainTx, recordIndex, paymentTxHash, paidUsdc, refund, superseded } = outcome;
  return (
    <RecordsPanel
      explorerUrl={explorerUrl}
      records={[
        ["Outcome ID", outcome.outcomeId, "outcome ID"],
        ["Contractor", outcome.contractorAgentAddress, "contractor's address"],
        ["Client", outcome.requesterAgentAddress, "client's address"],
        ["Verdict on chain", onChainTx, "transaction hash of the verdict", true],
        [
          paidUsdc > 0 ? `Payment of ${formatUsdc(paidUsdc)}` : "Payment, removed by a chain reorg",
          paymentTxHash,
          "payment transaction hash",
          true,
        ],
        [
          `Refund of ${formatUsdc(refund?.amountUsdc ?? 0)}`,
          refund?.txHash,
          "refund transaction hash",
          true,
        ],
        [
          `Refund on chain (record ${refund?.recordIndex} of the transaction)`,
          refund?.onChainTx,
          "refund record's transaction hash",
          true,
        ],
        [
          `Superseded on chain (record ${superseded?.recordIndex} of the transaction)`,
          superseded?.onChainTx,
          "superseding record's transaction hash",
          true,
        ],
        ["Evidence (hash on chain)", outcome.evidenceHash, "evidence hash"],
        ["Task (salted hash)", outcome.taskHash, "task hash"],
        ["Deliverable (salted hash)", outcome.deliverableHash, "deliverable hash"],
        ...Object.entries(judgement?.hashes ?? {}).map(([name, hash]) => {
          const of = splitCamelCase(name);
          return [`Judged: ${of} (hash)`, hash, `hash of ${of}`] as const;
        }),
      ]}
    >
      {onChainTx && (
        <Fact label="Place in the transaction that recorded the verdict">Record {recordIndex}</Fact>
      )}
      {judgement && <Fact label="Judge">{judgement.judge.version}</Fact>}
    </RecordsPanel>
  );
}

/** `deliverableCanonical` → "deliverable canonical". */
const splitCamelCase = (name: string) =>
  name.replace(/([a-z])([A-Z])|[.-]/g, "$1 $2").toLowerCase();
