import { formatAmount } from "@/components/ui/format";
import type { VerifierReport } from "./verifier-messages";

/** Shows how much of the ledger has been read; null before the first report. */
export function CheckProgress({
  progress,
}: {
  progress: Extract<VerifierReport, { type: "progress" }> | null;
}) {
  const { blocks = 0, allBlocks = 1, records = 0, allRecords } = progress ?? {};
  const isRead = progress !== null && blocks >= allBlocks;
  return (
    <div>
      <p role="status" className="font-medium">
        {isRead ? "Recomputing the score…" : "Reading the ledger from the chain…"}
      </p>
      <progress
        aria-label="Blocks read"
        value={blocks}
        max={allBlocks}
        className="mt-3 block h-2 w-full overflow-hidden rounded-full bg-sunken accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      <p className="mt-2 text-sm text-muted">
        {allRecords === undefined
          ? "Connecting to the node"
          : `${formatAmount(records)} of ${formatAmount(allRecords)} records, ${formatAmount(blocks)} of ${formatAmount(allBlocks)} blocks`}
      </p>
    </div>
  );
}
