import { formatDateTime } from "@/components/ui/format";
import type { Dispute } from "@/server/disputes/schema";
import { Follow } from "./follow";
import { TimeLeft } from "./time-left";

const FOLLOW_MS = 5_000;

/** What an open dispute waits for, until when, and what happens if nothing comes. */
export function DisputeNow({ dispute, leftMs }: { dispute: Dispute; leftMs: number }) {
  const other = dispute.openedBy === "contractor" ? "requester" : "contractor";
  return (
    <div className="grid gap-3">
      <Follow everyMs={FOLLOW_MS} />
      {dispute.phase === "awaiting-answer" && (
        <>
          <p>
            <TimeLeft leftMs={leftMs} until={dispute.expiresAt} />
            <span className="block text-sm text-muted">
              left for the {other} to answer, until {formatDateTime(dispute.expiresAt)}
            </span>
          </p>
          <p>
            If nobody answers, nobody has lost by that: the judge looks at the work again, with what
            the {dispute.openedBy} says, and decides on the evidence.
          </p>
        </>
      )}
      {dispute.phase === "in-review" && (
        <p>
          {dispute.statements.length > 1
            ? "Both sides are in. The judge looks at the work again with what each of them says."
            : `The ${other} did not answer in time, which is no defeat. The judge looks at the work again and decides on the evidence.`}
        </p>
      )}
      {dispute.phase === "recording" && (
        <p>The judge has decided. The verdict appears here once it is recorded on chain.</p>
      )}
      <p className="text-sm text-muted">
        Until then the recorded verdict stands. This page follows by itself.
      </p>
    </div>
  );
}
