import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { Hex, TransactionHash } from "@/components/ui/hex";
import type { EscrowJobView } from "@/server/escrows/schema";

const STATES: Record<EscrowJobView["status"], string> = {
  funded: "held until the verdict",
  submitted: "held until the verdict",
  deciding: "being paid out as the verdict says",
  completed: "released to the contractor",
  rejected: "returned to the client",
  declined: "not decided here",
  ended: "no longer waiting for the verdict",
};

interface Props {
  job: EscrowJobView;
  explorerUrl: string | null;
}

/** Says where the money of a job is that an escrow holds or held. */
export function EscrowLine({ job, explorerUrl }: Props) {
  const { status, escrow, jobId, reason, decisionTx, expiresAt } = job;
  const amount = formatUsdc(job.releasedUsdc ?? job.budgetUsdc);
  const isHeld = status === "funded" || status === "submitted";
  return (
    <div className="mt-3 break-words">
      Escrow: {amount}, {STATES[status]}
      {isHeld && ` or until ${formatDateTime(expiresAt)}`}.{reason && ` ${reason}`}
      <p className="flex flex-wrap gap-x-5 text-sm text-muted">
        <span>
          Escrow job no. {jobId} at{" "}
          <Hex
            value={escrow}
            name="escrow's address"
            brief
            href={explorerUrl && `${explorerUrl}/address/${escrow}`}
          />
        </span>
        {decisionTx && (
          <span>
            Transaction{" "}
            <TransactionHash
              value={decisionTx}
              name="transaction hash of the decision"
              brief
              explorerUrl={explorerUrl}
            />
          </span>
        )}
      </p>
    </div>
  );
}
