import { OwnerPageLink } from "@/components/site/owner-page-link";
import { formatDateTime } from "@/components/ui/format";
import { getOtherParty } from "@/server/disputes/parties";
import type { Dispute } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { Countdown } from "./countdown";
import { PARTY_NAMES } from "./describe-dispute";
import { isRepeated } from "./dispute-option";
import { FollowDispute } from "./follow-dispute";

/** Explains what an open dispute is waiting for, with the deadline, and follows it. */
export function DisputeStatus({ dispute, outcome }: { dispute: Dispute; outcome: PublicOutcome }) {
  const other = PARTY_NAMES[getOtherParty(dispute.openedBy)];
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-3 rounded-lg bg-notice px-5 py-4 text-notice-ink sm:px-6">
      {dispute.phase === "awaiting-answer" && (
        <p>
          <span className="font-serif text-3xl font-semibold">
            <Countdown until={dispute.expiresAt} />
          </span>
          <span className="block text-sm">
            for the {other} to{" "}
            <OwnerPageLink href="/dashboard/disputes" className="underline underline-offset-2">
              answer
            </OwnerPageLink>
            , until {formatDateTime(dispute.expiresAt)}
          </span>
        </p>
      )}
      <div className="min-w-0 flex-1 basis-80">
        <p>{describePhase(dispute, outcome, other)}</p>
        <p className="mt-1 text-sm">
          Until then the original verdict applies.{" "}
          <FollowDispute disputeId={dispute.disputeId} phase={dispute.phase} />
        </p>
      </div>
    </div>
  );
}

function describePhase({ phase, statements }: Dispute, outcome: PublicOutcome, other: string) {
  if (phase === "recording") return "Decided. The verdict appears once it is recorded on chain.";
  if (isRepeated(outcome)) {
    return "Code repeats its decision on what is stored; of the statements, only a concession counts.";
  }
  const review = `judge reviews the ${outcome.agreed ? "agreed criteria" : "work"}`;
  if (phase === "awaiting-answer") {
    return `Not answering doesn't mean losing: the ${review} and decides on the evidence.`;
  }
  return statements.length > 1
    ? `The ${review} with both statements.`
    : `The ${other} did not respond in time. The ${review} and decides on the evidence.`;
}
