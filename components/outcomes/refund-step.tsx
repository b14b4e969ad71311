import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Step } from "@/components/ui/step";
import type { Refund } from "@/server/outcomes/schema";

/** Shows a refund's transfer and its on-chain record, once there is one. */
export function RefundStep({
  refund,
  explorerUrl,
}: {
  refund: Refund;
  explorerUrl: string | null;
}) {
  const link = (hash: string) => explorerUrl && `${explorerUrl}/tx/${hash}`;
  const { txHash, onChainTx, refundedAt, amountUsdc } = refund;
  return (
    <Step done={onChainTx !== undefined} title="Refunded">
      <span className="block">
        {formatUsdc(amountUsdc)} from the contractor to the requester in this transaction:
      </span>
      <Hex value={txHash} name="refund transaction hash" href={link(txHash)} />
      {onChainTx && refundedAt ? (
        <>
          <span className="mt-1 block">
            Recorded {formatDateTime(refundedAt)}, record {refund.recordIndex} of this transaction:
          </span>
          <Hex value={onChainTx} name="record transaction hash" href={link(onChainTx)} />
        </>
      ) : (
        <span className="mt-1 block">Being recorded on chain.</span>
      )}
    </Step>
  );
}
