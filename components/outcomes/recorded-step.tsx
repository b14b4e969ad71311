import { formatDateTime } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Step } from "@/components/ui/step";

interface Props {
  /** An outcome or a dispute; the three are there together or not at all. */
  record: {
    onChainTx?: string | undefined;
    recordIndex?: number | undefined;
    resolvedAt?: string | undefined;
  };
  explorerUrl: string | null;
  /** What the record follows. */
  before: string;
}

/** Where a verdict stands on chain, or that it will. */
export function RecordedStep({ record, explorerUrl, before }: Props) {
  const { onChainTx, recordIndex, resolvedAt } = record;
  return (
    <Step done={onChainTx !== undefined} title="Recorded on chain">
      {onChainTx && resolvedAt ? (
        <>
          <span className="block">
            {formatDateTime(resolvedAt)}, record {recordIndex} of this transaction:
          </span>
          <Hex
            value={onChainTx}
            name="transaction hash"
            href={explorerUrl && `${explorerUrl}/tx/${onChainTx}`}
          />
        </>
      ) : (
        `Follows ${before}; both appear together.`
      )}
    </Step>
  );
}
