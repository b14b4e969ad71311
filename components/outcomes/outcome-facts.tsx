import { Fact } from "@/components/ui/fact";
import { formatDay, formatUsdc } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** What identifies the outcome, in full, to be copied and checked. */
export function OutcomeFacts({ outcome }: { outcome: PublicOutcome }) {
  return (
    <dl className="grid gap-4">
      <Fact label="Value">
        {formatUsdc(outcome.valueUsdc)}{" "}
        {!outcome.paymentTxHash && <span className="text-muted">(payment not proven)</span>}
      </Fact>
      {outcome.paymentTxHash && (
        <Fact label="Paid by the requester">
          {outcome.paidUsdc > 0
            ? `${formatUsdc(outcome.paidUsdc)} in `
            : "Nothing: the chain removed "}
          <Hex value={outcome.paymentTxHash} name="payment's transaction hash" />
        </Fact>
      )}
      {outcome.countsFrom && (
        <Fact label="Reported by the client alone">
          Counts from {formatDay(outcome.countsFrom)}, unless the payment is returned
        </Fact>
      )}
      {outcome.refund && (
        <Fact label="Returned by the contractor">
          {formatUsdc(outcome.refund.amountUsdc)} in{" "}
          <Hex value={outcome.refund.txHash} name="returning transaction's hash" />
        </Fact>
      )}
      <Fact label="Contractor">
        <Hex value={outcome.contractorAgentAddress} name="contractor's address" />
      </Fact>
      <Fact label="Requester">
        <Hex value={outcome.requesterAgentAddress} name="requester's address" />
      </Fact>
      <Fact label="Outcome id">
        <Hex value={outcome.outcomeId} name="outcome id" />
      </Fact>
      <Fact label="Task, as a salted hash">
        <HashOrLost value={outcome.taskHash} name="task hash" />
      </Fact>
      <Fact label="Deliverable, as a salted hash">
        <HashOrLost value={outcome.deliverableHash} name="deliverable hash" />
      </Fact>
      {outcome.evidenceHash && (
        <Fact label="Evidence hash, as recorded">
          <Hex value={outcome.evidenceHash} name="evidence hash" />
        </Fact>
      )}
    </dl>
  );
}

/** Zero where the outcome was rebuilt from the chain, which has no hashes of its texts. */
function HashOrLost({ value, name }: { value: string; name: string }) {
  return /^0x0+$/.test(value) ? "lost with an earlier database" : <Hex value={value} name={name} />;
}
